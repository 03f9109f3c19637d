#include "predict/race_prediction.h"

#include "model/common_items.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace heddle {
namespace {

/// The bytes of the cell at `cell` that lie in [begin, end), a bit for each.
uint8_t bytesInCell(uint64_t cell, uint64_t begin, uint64_t end) {
  uint64_t from = std::max(cell, begin) - cell;
  uint64_t to = std::min(cell + ShadowMemory::kCellBytes, end) - cell;
  return static_cast<uint8_t>((0xffu << from) & (0xffu >> (ShadowMemory::kCellBytes - to)));
}

bool mayConflict(const AccessRecord& one, const AccessRecord& other) {
  // Assembly is outside of the language's rules: the processor makes its accesses and aligned ones
  // of the source atomic, as locks that are written so rely on.
  return one.thread != other.thread && (one.bytes & other.bytes) != 0 &&
         (one.write || other.write) && !(one.atomic && other.atomic) && !one.assembly &&
         !other.assembly;
}

} // namespace

void RacePrediction::add(std::span<const Event> events) {
  for (const Event& event : events)
    add(event);
}

void RacePrediction::add(const Event& event) {
  ++events_;
  callers_.add(event);
  order_.add(event, callers_.of(event));
  switch (static_cast<EventKind>(event.kind)) {
  case EventKind::Read:
    return access(event, /*write=*/false, /*atomic=*/false);
  case EventKind::Write:
    return access(event, /*write=*/true, /*atomic=*/false);
  case EventKind::AtomicRead:
    return access(event, /*write=*/false, /*atomic=*/true);
  case EventKind::AtomicWrite:
  case EventKind::AtomicUpdate:
    return access(event, /*write=*/true, /*atomic=*/true);
  case EventKind::Free:
    return end(event);
  case EventKind::UnseenCall: {
    UnseenCalls& calls = unseenCalls(event.thread);
    ++calls.count;
    calls.last = static_cast<SiteId>(event.site);
    return;
  }
  case EventKind::Allocate: // nobody can have an address of it from before
    return memory_.forget(event.address, lifetimeBytes(event));
  default:
    return;
  }
}

void RacePrediction::access(const Event& event, bool write, bool atomic) {
  if (event.address == 0 || event.size == 0)
    return;
  AccessRecord record = recordOf(event, write, atomic);
  uint64_t begin = event.address;
  uint64_t end = begin + event.size;
  for (uint64_t at = begin / ShadowMemory::kCellBytes * ShadowMemory::kCellBytes; at < end;
       at += ShadowMemory::kCellBytes) {
    record.bytes = bytesInCell(at, begin, end);
    touch(memory_.cell(at), record, std::max(at, begin));
  }
}

/// What ends is written, all of it. Most of a large block was never touched, so that only what is
/// known of it is looked at, and the rest when somebody comes to it.
void RacePrediction::end(const Event& event) {
  constexpr uint64_t kWhole = 0xff;
  uint64_t end = event.address + lifetimeBytes(event);
  if (event.result == 0)
    return access(event, /*write=*/true, /*atomic=*/false);
  AccessRecord record = recordOf(event, /*write=*/true, /*atomic=*/false);
  record.bytes = kWhole;
  memory_.forEachKnown(event.address, end,
                       [&](Cell& cell, uint64_t at) { touch(cell, record, at); });
  memory_.cover(event.address, end, record);
}

AccessRecord RacePrediction::recordOf(const Event& event, bool write, bool atomic) {
  AccessRecord record;
  record.site = static_cast<SiteId>(event.site);
  record.caller = callers_.of(event);
  record.thread = event.thread;
  record.occurrence = nextOccurrence(record);
  record.locks = order_.held(event.thread);
  record.mustTime = order_.mustTime(event.thread);
  record.seenTime = order_.seenTime(event.thread);
  record.write = write;
  record.atomic = atomic;
  record.assembly = atomic && (event.result & kAccessAssembly) != 0;
  record.unseenCalls = unseenCalls(event.thread).count;
  return record;
}

void RacePrediction::touch(Cell& cell, AccessRecord record, uint64_t address) {
  auto known = std::find_if(cell.records.begin(), cell.records.end(),
                            [&](const AccessRecord& r) { return r.sameExceptTime(record); });
  bool isKnown = known != cell.records.end();
  bool sameTime =
      isKnown && known->mustTime == record.mustTime && known->seenTime == record.seenTime;
  if (sameTime && known->checked == cell.generation)
    return; // nothing has changed since
  if (isKnown) {
    record.settled = known->settled;
    record.predicted = known->predicted;
  }
  compareWithOthers(cell, record, address);
  if (!sameTime)
    ++cell.generation;
  record.checked = cell.generation;
  if (isKnown)
    *known = record;
  size_t index = isKnown ? static_cast<size_t>(known - cell.records.begin()) : cell.add(record);
  // What is settled between two records is so whichever of them comes next.
  for (uint64_t bits = cell.records[index].settled; bits != 0; bits &= bits - 1)
    cell.records[static_cast<size_t>(std::countr_zero(bits))].settled |= uint64_t{1} << index;
}

void RacePrediction::compareWithOthers(Cell& cell, AccessRecord& record, uint64_t address) {
  uint64_t all = cell.records.size() == Cell::kMaxRecords
                     ? ~uint64_t{0}
                     : (uint64_t{1} << cell.records.size()) - 1;
  for (uint64_t open = all & ~record.settled; open != 0; open &= open - 1) {
    uint64_t bit = open & -open;
    const AccessRecord& earlier = cell.records[static_cast<size_t>(std::countr_zero(open))];
    switch (compare(earlier, record, (record.predicted & bit) != 0, address)) {
    case Comparison::Open:
      break;
    case Comparison::Predicted:
      record.predicted |= bit;
      break;
    case Comparison::Settled:
      record.settled |= bit;
      break;
    }
  }
}

RacePrediction::Comparison RacePrediction::compare(const AccessRecord& earlier,
                                                   const AccessRecord& now, bool predicted,
                                                   uint64_t address) {
  ++comparisons_;
  if (!mayConflict(earlier, now) || order_.lockSets().exclude(earlier.locks, now.locks))
    return Comparison::Settled;
  if (order_.mustPrecede(earlier.thread, earlier.mustTime, now.thread))
    return Comparison::Open;
  bool unordered = !order_.seenPrecede(earlier.thread, earlier.seenTime, now.thread);
  if (predicted && !unordered &&
      order_.properlyPrecede(earlier.thread, earlier.seenTime, now.thread))
    return Comparison::Predicted;
  auto side = [](const AccessRecord& record) { return Side(record.site, record.caller); };
  bool swapped = side(now) < side(earlier);
  const AccessRecord& first = swapped ? now : earlier;
  const AccessRecord& second = swapped ? earlier : now;
  RacePair& pair = pairs_[{side(first), side(second)}];
  if (predicted && !unordered) { // one more example of the orders that it lacks
    if (!pair.unordered)
      lookForWeakOrder(pair, earlier, now);
    return Comparison::Predicted;
  }
  if (pair.count++ == 0 || (unordered && !pair.unordered)) { // the better example
    pair.first = describe(first);
    pair.second = describe(second);
    pair.address = address;
    pair.position = events_;
    pair.firstIsEarlier = !swapped;
    pair.unseen = unseenBetween(earlier, now);
  }
  pair.unordered |= unordered;
  if (!pair.unordered)
    lookForWeakOrder(pair, earlier, now);
  return unordered ? Comparison::Settled : Comparison::Predicted;
}

void RacePrediction::lookForWeakOrder(RacePair& pair, const AccessRecord& earlier,
                                      const AccessRecord& now) {
  constexpr uint32_t kMaxExamples = 32; // a loop shows the same again and again
  if (pair.weakExamples == kMaxExamples ||
      order_.properlyPrecede(earlier.thread, earlier.seenTime, now.thread))
    return;
  ++pair.weakExamples;
  auto weak = order_.weakOrders(earlier.thread, earlier.seenTime, now.thread);
  if (!weak.empty())
    keepCommon(pair.weakOrders, std::move(weak));
}

RacePrediction::UnseenCalls& RacePrediction::unseenCalls(uint32_t thread) {
  if (thread >= unseenCalls_.size())
    unseenCalls_.resize(thread + 1);
  return unseenCalls_[thread];
}

UnseenOrder RacePrediction::unseenBetween(const AccessRecord& earlier, const AccessRecord& now) {
  UnseenCalls since = unseenCalls(earlier.thread);
  if (since.count == earlier.unseenCalls)
    return {};
  return {since.last, unseenCalls(now.thread).last};
}

uint32_t RacePrediction::nextOccurrence(const AccessRecord& record) {
  uint64_t key = mix(mix(record.thread, raw(record.site)), raw(record.caller));
  return ++occurrences_[key];
}

RaceAccess RacePrediction::describe(const AccessRecord& record) {
  auto locks = order_.lockSets().locks(record.locks);
  return {record.site,
          record.caller,
          record.thread,
          record.occurrence,
          record.write,
          record.atomic,
          {locks.begin(), locks.end()}};
}

std::vector<RacePair> RacePrediction::pairs() const {
  std::vector<RacePair> result;
  for (const auto& [sites, pair] : pairs_)
    result.push_back(pair);
  auto rank = [](const RacePair& pair) {
    return std::tuple(!pair.unordered, ~pair.count, pair.first.site, pair.first.caller,
                      pair.second.site, pair.second.caller);
  };
  std::sort(result.begin(), result.end(),
            [&](const RacePair& a, const RacePair& b) { return rank(a) < rank(b); });
  return result;
}

} // namespace heddle
