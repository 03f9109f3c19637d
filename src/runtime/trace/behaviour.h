#pragma once

#include "strategy/strategy.h"

/// Behaviours: ordered pairs of conflicting sites that different threads execute one after the
/// other on one location. Their number tells whether more runs still show anything new.
namespace heddle::rt {

void noteBehaviour(ThreadIndex thread, const PendingOperation& operation);
/// Adds what a forked run left; by the server.
void collectBehaviours();
/// Forgets the accesses of earlier runs; the set of behaviours stays.
void beginBehaviours();

} // namespace heddle::rt
