#include "sharing.h"

#include <algorithm>

namespace heddle::explore {

namespace {

constexpr uint64_t kGranule = 8;
constexpr size_t kFirstGranules = 1 << 12;
/// From this size on, what is not shared is forgotten before the table grows.
constexpr size_t kManyGranules = 1 << 20;

} // namespace

void Sharing::beginRun(size_t threads) {
  ++run_;
  foundMore_ = false;
  times_.assign(threads, Times(threads, 0));
  for (size_t thread = 0; thread < threads; ++thread)
    times_[thread][thread] = 1;
  entries_.clear();
}

void Sharing::grow() {
  std::vector<Granule> old = std::move(granules_);
  bool isLarge = old.size() >= kManyGranules;
  granules_.assign(old.empty() ? kFirstGranules : old.size() * 2, {});
  used_ = 0;
  for (const Granule& granule : old)
    if (granule.name != 0 && (!isLarge || granule.shared != 0 || granule.run == run_))
      find(granule.name - 1) = granule;
}

Sharing::Granule& Sharing::find(uint64_t granule) {
  if (used_ * 2 >= granules_.size())
    grow();
  size_t mask = granules_.size() - 1;
  size_t at = mix(0, granule) & mask;
  while (granules_[at].name != 0 && granules_[at].name != granule + 1)
    at = (at + 1) & mask;
  if (granules_[at].name == 0) {
    granules_[at].name = granule + 1;
    ++used_;
  }
  return granules_[at];
}

Sharing::Times& Sharing::timesOf(ThreadNumber thread) {
  if (thread >= times_.size()) {
    for (Times& times : times_)
      times.resize(thread + size_t{1}, 0);
    while (times_.size() <= thread) {
      times_.emplace_back(thread + size_t{1}, 0);
      times_.back()[times_.size() - 1] = 1;
    }
  }
  return times_[thread];
}

void Sharing::created(ThreadNumber parent, ThreadNumber child) {
  timesOf(std::max(parent, child));
  uint32_t own = times_[child][child];
  times_[child] = times_[parent];
  times_[child][child] = own;
  ++times_[parent][parent];
}

void Sharing::joined(ThreadNumber thread, ThreadNumber ended) {
  timesOf(std::max(thread, ended));
  for (size_t i = 0; i < times_[thread].size(); ++i)
    times_[thread][i] = std::max(times_[thread][i], times_[ended][i]);
}

bool Sharing::look(ThreadNumber thread, uint64_t name, uint8_t bytes, bool isWrite) {
  Granule& granule = find(name);
  if ((granule.shared & bytes) == bytes)
    return true;
  const Times& times = timesOf(thread);
  if (granule.run != run_) {
    granule.run = run_;
    granule.first = 0;
  }
  Entry* own = nullptr;
  if (granule.first != 0) {
    // Most accesses repeat what their thread did: whoever came in between has seen that.
    const Entry& latest = entries_[granule.first - 1];
    uint8_t done = isWrite ? latest.written : latest.written | latest.read;
    if (latest.thread == thread && latest.time == times[thread] && (done & bytes) == bytes)
      return (granule.shared & bytes) != 0;
  }
  uint8_t found = 0;
  for (uint32_t at = granule.first; at != 0; at = entries_[at - 1].next) {
    Entry& entry = entries_[at - 1];
    if (entry.thread == thread && entry.time == times[thread])
      own = &entry;
    if (entry.thread == thread || isBefore(entry, times))
      continue;
    found |= bytes & (isWrite ? entry.read | entry.written : entry.written);
  }
  if (!own) {
    entries_.push_back({thread, times[thread], 0, 0, granule.first});
    granule.first = static_cast<uint32_t>(entries_.size());
    own = &entries_.back();
  }
  (isWrite ? own->written : own->read) |= bytes;
  foundMore_ |= (found & ~granule.shared) != 0;
  granule.shared |= found;
  return (granule.shared & bytes) != 0;
}

bool Sharing::access(ThreadNumber thread, uint64_t address, uint64_t size, bool isWrite) {
  bool isShared = false;
  for (uint64_t at = address; at < address + size;) {
    uint64_t first = at % kGranule;
    uint64_t count = std::min(kGranule - first, address + size - at);
    auto bytes = static_cast<uint8_t>(((1u << count) - 1) << first);
    isShared |= look(thread, at / kGranule, bytes, isWrite);
    at += count;
  }
  return isShared;
}

std::vector<uint64_t> Sharing::save() const {
  std::vector<uint64_t> words;
  for (const Granule& granule : granules_)
    if (granule.name != 0 && granule.shared != 0)
      words.insert(words.end(), {granule.name - 1, granule.shared});
  return words;
}

void Sharing::resume(const std::vector<uint64_t>& words) {
  for (size_t i = 0; i + 1 < words.size(); i += 2)
    find(words[i]).shared |= static_cast<uint8_t>(words[i + 1]);
}

} // namespace heddle::explore
