#pragma once

#include "runtime/base/persistent.h"

/// Loops in code without hooks in which threads wait; they are known from run to run.
namespace heddle::rt {

/// Loops that were proven to wait, and those that threads have left as soon as others had run
/// although they never repeat themselves: there no time is lost.
bool isKnownLoop(uintptr_t address);
void learnLoop(const KnownLoop& loop);

} // namespace heddle::rt
