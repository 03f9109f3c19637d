#include "predict/shadow_memory.h"

namespace heddle {

size_t Cell::add(const AccessRecord& record) {
  records.push_back(record);
  if (records.size() <= kMostRecords)
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
  if (number == 0) {
    number = static_cast<uint32_t>(cells_.size());
    cells_.emplace_back();
  }
  return cells_[number];
}

void ShadowMemory::forget(uint64_t address, uint64_t bytes) {
  uint64_t end = address + bytes;
  for (uint64_t at = (address + kCellBytes - 1) / kCellBytes * kCellBytes; at + kCellBytes <= end;
       at += kCellBytes) {
    uint32_t number = page(at)[at % kPageBytes / kCellBytes];
    if (number == 0)
      continue;
    cells_[number].records.clear();
    ++cells_[number].generation;
  }
}

} // namespace heddle
