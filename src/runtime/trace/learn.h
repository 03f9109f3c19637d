#pragma once

#include "model/site_table.h"
#include "runtime/core/fiber.h"

/// Finds out which sites touch memory that several threads use and at least one of them writes,
/// without a trace: one word of state per eight bytes of memory, in the manner of Eraser's states
/// (Savage et al., SOSP 1997), but with hand-over of memory through thread creation and join.
namespace heddle::rt {

void beginLearning();
void learnAccess(Fiber* fiber, const void* address, uint64_t size, bool write, SiteId site);
/// The same, where nothing but learning asks for the site: a hook that has seen much rests, so that
/// a loop runs nearly as fast as it would without it. See noteLearningStep().
void learnSampled(Fiber* fiber, const void* address, uint64_t size, bool write,
                  const SiteSlot& slot);
/// A sync operation of the running fiber: wakes the hooks that rest when the fiber is a new one,
/// and at growing intervals, each for a few more executions.
void noteLearningStep(const Fiber* fiber);
/// The same for a site that is said to touch memory of its own thread only, which is looked at,
/// too. Returns how often this was called for the site in this run.
uint64_t learnLocalAccess(Fiber* fiber, const void* address, uint64_t size, bool write,
                          SiteId site);
/// The same for memory that ends: all of it is written. Of a large block only what was touched.
void learnFree(Fiber* fiber, const void* address, uint64_t size, SiteId site);
/// Time of accesses, as the order of create and join is compared with.
uint64_t eventClock();
/// Writes what was learned about each site to the batch's site region.
void endLearning(BatchHeader& batch);

} // namespace heddle::rt
