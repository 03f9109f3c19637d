#include "runtime/trace/thinning.h"

#include "runtime/base/arena.h"
#include "runtime/base/persistent.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/trace/sites.h"

#include <string.h>

namespace heddle::rt {

int32_t* heddleSkips = nullptr;

Thinning thinning;

uint32_t* callThinNumbers = nullptr;
uint32_t callThinCount = 0;

namespace {

/// Modules that are loaded later have sites, too.
constexpr uint32_t kMoreSites = 64;
constexpr uint64_t kLongestGap = INT32_MAX;

uint32_t numbered = 0;             ///< numbers that were given
uint32_t mostNumbers = UINT32_MAX; ///< while a run is made, the threads' tables have so many

/// Executions to leave out after the given one. Blocks begin at n with probability first / n.
uint32_t gapAfter(ThreadPath thread, uint64_t execution, bool sync) {
  if (thinning.first == 0 || execution < thinning.first)
    return 0;
  if (execution / thinning.length == (execution + 1) / thinning.length)
    return 0; // in the middle of a block
  // In every second run all threads have the same blocks: where they go through the same loop, they
  // are interleaved there.
  uint64_t whose = (thinning.seed & 1) != 0 ? 0 : raw(thread);
  uint64_t drawn = mix(mix(thinning.seed, whose), execution) >> 32;
  uint64_t most = 2 * execution / thinning.first + 1;
  if (sync && most > thinning.mostSyncBlocks)
    most = thinning.mostSyncBlocks;
  uint64_t gap = drawn * most / (uint64_t{1} << 32) * thinning.length;
  return static_cast<uint32_t>(gap < kLongestGap ? gap : kLongestGap);
}

void countUp(Fiber* fiber) {
  for (uint32_t i = 0; fiber->skips && i < thinning.capacity; ++i) {
    ThinCount& count = fiber->thinCounts[i];
    count.executed += count.gap - static_cast<uint32_t>(fiber->skips[i]);
    count.gap = 0;
    fiber->skips[i] = 0;
  }
}

uint64_t executionsOf(uint32_t number) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < scheduler.threads; ++i)
    if (const Fiber* fiber = scheduler.fibers[i]; fiber->skips) {
      const ThinCount& count = fiber->thinCounts[number];
      sum += count.executed + count.gap - static_cast<uint32_t>(fiber->skips[number]);
    }
  return sum;
}

} // namespace

void forgetThinNumbers() {
  numbered = 0;
  mostNumbers = UINT32_MAX;
  if (callThinCount != 0)
    memset(callThinNumbers, 0, callThinCount * sizeof(uint32_t));
}

uint32_t nextThinNumber() { return numbered + 1 < mostNumbers ? ++numbered : kNotThinned; }

void thinOutCall(SiteId site) {
  if (raw(site) >= callThinCount) {
    uint32_t count = siteCount() + kMoreSites;
    auto* table = static_cast<uint32_t*>(runAllocate(count * sizeof(uint32_t)));
    if (callThinCount != 0)
      memcpy(table, callThinNumbers, callThinCount * sizeof(uint32_t));
    callThinNumbers = table;
    callThinCount = count;
  }
  if (callThinNumbers[raw(site)] == kNotThinned) // other copies of its function have it, too
    callThinNumbers[raw(site)] = nextThinNumber();
}

void beginThinning(const Plan& plan, uint64_t seed) {
  bool replays = plan.strategy == StrategyKind::Replay;
  thinning.first = plan.thinFirst;
  thinning.length = plan.thinLength == 0 ? 1 : plan.thinLength;
  thinning.seed = replays ? plan.thinSeed : seed;
  thinning.mostSyncBlocks = plan.thinSync;
  thinning.capacity = plan.thinFirst == 0 ? 0 : numbered + 1 + kMoreSites;
  mostNumbers = thinning.capacity;
  RunResult& result = persistent().result;
  result.thinFirst = thinning.first;
  result.thinLength = thinning.first == 0 ? 0 : thinning.length;
  result.thinSeed = thinning.first == 0 ? 0 : thinning.seed;
  result.thinSync = thinning.first == 0 ? 0 : thinning.mostSyncBlocks;
  for (uint32_t i = 0; i < scheduler.threads; ++i)
    prepareCounts(scheduler.fibers[i]);
  heddleSkips = scheduler.current->skips;
}

void endThinning() {
  if (thinning.first == 0)
    return;
  for (uint32_t i = 0; i < scheduler.threads; ++i)
    countUp(scheduler.fibers[i]);
  thinning.first = 0;
}

void resumeThinning() { thinning.first = persistent().result.thinFirst; }

void dumpExecutions(BatchHeader& batch) {
  auto* header =
      reinterpret_cast<SiteRegionHeader*>(reinterpret_cast<char*>(&batch) + batch.sites.offset);
  if (thinning.capacity == 0 || !header->complete)
    return;
  visitThinned(
      [](const SiteSlot& slot, void* context) {
        auto* sites = static_cast<SiteRegionHeader*>(context);
        if (slot.id <= sites->siteCount)
          reinterpret_cast<DumpedSite*>(sites + 1)[slot.id].executions =
              executionsOf(thinnedNumber(slot));
      },
      header);
}

void prepareCounts(Fiber* fiber) {
  if (thinning.capacity == 0)
    return;
  fiber->skips = static_cast<int32_t*>(runAllocate(thinning.capacity * sizeof(int32_t)));
  fiber->thinCounts = static_cast<ThinCount*>(runAllocate(thinning.capacity * sizeof(ThinCount)));
}

Occurrence countThinned(Fiber* fiber, uint32_t number, bool sync) {
  ThinCount& count = fiber->thinCounts[number];
  count.executed += count.gap + 1;
  count.gap = gapAfter(fiber->view.path, count.executed, sync);
  fiber->skips[number] = static_cast<int32_t>(count.gap);
  return {count.executed, count.executed == 1};
}

} // namespace heddle::rt
