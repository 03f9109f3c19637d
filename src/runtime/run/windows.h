#pragma once

#include "strategy/strategy.h"

/// Long runs are interleaved in windows. A batch with Plan::windowLength is one pass through the
/// program, in which threads change seldom and only sync operations are points, or the plan's
/// points are thinned out (thinning.h). At the place where a window begins, the process is copied
/// by a raw fork: the copy interleaves densely under the plan's strategy, with the plan's points,
/// for so many choices, goes on without preemption for a while, and ends; it is a run of the batch.
/// The pass then goes on to the next window, so that what comes before all of them is run once.
///
/// The schedule of such a run has the pass's decisions up to the window, the window's, and where
/// the window lies: replays of it are whole runs.
namespace heddle::rt {

/// The strategy for a plan: the one that decides in windows around `inner`, or `inner` itself.
Strategy* strategyInWindows(Strategy* inner, const Plan& plan);

/// Whether the batch is a pass with windows.
bool isPass(const Plan& plan);

} // namespace heddle::rt
