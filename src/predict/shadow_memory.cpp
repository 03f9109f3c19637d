#include "predict/shadow_memory.h"

#include <algorithm>
#include <iterator>

namespace heddle {

size_t Cell::add(const AccessRecord& record) {
  records.push_back(record);
  if (records.size() <= kMaxRecords)
    return records.size() - 1;
  records.erase(records.begin());
  for (AccessRecord& kept : records) { // indices are one lower now
    kept.settled >>= 1;
    kept.predicted >>= 1;
  }
  return records.size() - 1;
}

ShadowMemory::Page& ShadowMemory::page(uint64_t address) {
  uint64_t number = address / kPageBytes;
  if (number != lastNumber_) {
    std::unique_ptr<Page>& entry = pages_[number];
    if (!entry)
      entry = std::make_unique<Page>();
    lastNumber_ = number;
    lastPage_ = entry.get();
  }
  return *lastPage_;
}

Cell& ShadowMemory::cell(uint64_t address) {
  uint32_t& number = page(address)[address % kPageBytes / kCellBytes];
  if (number != 0)
    return cells_[number];
  number = static_cast<uint32_t>(cells_.size());
  Cell& made = cells_.emplace_back();
  auto cover = covers_.upper_bound(address);
  if (cover != covers_.begin() && (--cover)->second.end >= address + kCellBytes)
    made.add(cover->second.record);
  return made;
}

ShadowMemory::Page* ShadowMemory::knownPage(uint64_t number) const {
  if (number == lastNumber_)
    return lastPage_;
  auto known = pages_.find(number);
  return known == pages_.end() ? nullptr : known->second.get();
}

std::vector<uint64_t> ShadowMemory::knownPages(uint64_t first, uint64_t last) const {
  std::vector<uint64_t> known;
  for (const auto& [number, page] : pages_)
    if (number >= first && number < last)
      known.push_back(number);
  std::sort(known.begin(), known.end());
  return known;
}

void ShadowMemory::cover(uint64_t begin, uint64_t end, const AccessRecord& record) {
  uncover(begin, end);
  covers_[begin] = {end, record};
}

void ShadowMemory::uncover(uint64_t begin, uint64_t end) {
  auto cover = covers_.lower_bound(begin);
  if (cover != covers_.begin() && std::prev(cover)->second.end > begin)
    --cover;
  while (cover != covers_.end() && cover->first < end) {
    auto [from, old] = *cover;
    cover = covers_.erase(cover);
    if (from < begin)
      covers_[from] = {begin, old.record};
    if (old.end > end)
      covers_[end] = old;
  }
}

void ShadowMemory::forget(uint64_t address, uint64_t bytes) {
  uint64_t end = address + bytes;
  if (!covers_.empty())
    uncover(address, end);
  forEachKnown(address, end, [](Cell& known, uint64_t) {
    known.records.clear();
    ++known.generation;
  });
}

} // namespace heddle
