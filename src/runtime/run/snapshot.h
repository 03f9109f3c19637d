#pragma once

#include <stdint.h>

/// In-place restore: the memory of the process as it was at the snapshot point.
namespace heddle::rt {

/// Takes the snapshot if there is none yet. False when this kernel or this program does not allow
/// it; the reason is in snapshotObstacle().
bool takeSnapshot();
/// Puts back every page that was written since. Runs on the run loop's stack.
void restoreSnapshot();
/// What the last run left behind that memory cannot undo; null: nothing.
const char* whyNotRestorable();
const char* snapshotObstacle();

} // namespace heddle::rt
