#pragma once

#include "runtime/core/occurrence.h"
#include "runtime/core/scheduler.h"

/// Sites that are executed very often are thinned out: of a thread's executions of such a site the
/// first ones are points, and of the later ones fewer and fewer, in blocks at random. So a run with
/// millions of accesses to shared memory has some thousands of points, spread over all sites and
/// over the whole run, and another run has others. Which ones these are depends on nothing but the
/// seed, the thread and the execution's number: a replay has the same.
///
/// The hook of an execution that is no point counts down a number of the thread and the site, in
/// record_hook.S, and does nothing else.
///
/// Where a plan says so, locks and unlocks of mutexes and atomics are thinned out, too: what is
/// left out is done without a decision. Who has to wait for a lock gives way, as ever. A thread
/// that waits for others in a loop of such operations is found out at its points alone, so that the
/// gaps between them have a limit.
namespace heddle::rt {

struct Thinning {
  uint64_t first = 0; ///< executions that are all points; 0: every execution is one
  uint64_t length = 1;
  uint64_t seed = 0;
  uint64_t mostSyncBlocks = 0; ///< between two points of a sync operation; 0: all are points
  uint32_t capacity = 0;       ///< numbers of sites
};

/// Of the current run.
extern Thinning thinning;

/// How often a thread has executed a site, as far as that has been counted up.
struct ThinCount {
  uint32_t executed = 0; ///< up to the last point
  uint32_t gap = 0;      ///< executions from that one to the next point, without both
};

/// Executions that the running thread leaves out until the next point, by number of the site; the
/// hooks count them down.
extern "C" __attribute__((visibility("hidden"))) int32_t* heddleSkips;

/// Which site of a plan that is thinned out has which number; 0 is nobody's.
inline constexpr uint32_t kNotThinned = 0;
/// A new plan: nobody has one.
void forgetThinNumbers();
/// The next one; kNotThinned when a library that was loaded later brings too many.
uint32_t nextThinNumber();
/// The number of a call that locks or unlocks, and that has one from here on.
void thinOutCall(SiteId site);

extern uint32_t* callThinNumbers; ///< by SiteId
extern uint32_t callThinCount;    ///< of those
inline uint32_t thinNumberOf(SiteId call) {
  return raw(call) < callThinCount ? callThinNumbers[raw(call)] : kNotThinned;
}

/// Prepares a run; a replay has the seed of the run that it repeats.
void beginThinning(const Plan& plan, uint64_t seed);
/// From here on every execution of a site is a point ...
void endThinning();
/// ... and from here on as before that.
void resumeThinning();

/// Writes to the controller's table how often the run has executed the sites.
void dumpExecutions(BatchHeader& batch);

/// Prepares a thread that was created in a run whose sites are thinned out.
void prepareCounts(Fiber* fiber);
/// Whether the execution that the running thread's hook has counted down is a point.
inline bool isAtPoint(const Fiber* fiber, uint32_t number) { return fiber->skips[number] < 0; }
/// The running thread is at a point of a site that is thinned out: which execution it is. `sync`:
/// of an operation by which threads may wait for each other.
Occurrence countThinned(Fiber* fiber, uint32_t number, bool sync);

} // namespace heddle::rt
