#pragma once

#include "model/event.h"
#include "operation.h"

/// What the kinds of a trace's events mean as steps of a search.
namespace heddle::explore {

inline EventKind kindOf(const heddle::Event& event) { return static_cast<EventKind>(event.kind); }

inline bool isAccess(EventKind kind) { return kind <= EventKind::AtomicUpdate; }

inline bool isAtomic(EventKind kind) { return kind >= EventKind::AtomicRead && isAccess(kind); }

/// Points that only plans with kPlanHalves have.
bool isHalfPoint(EventKind kind);

inline bool isShared(EventKind kind) { return kind == EventKind::ReadLock; }

/// Operations of which the trace tells in a second event how they went on.
bool isAttempt(EventKind kind);

/// The operation of such an attempt, which waits where it cannot go on,
OperationKind waitingKind(EventKind kind);
/// and the one that it is when it gives up instead.
OperationKind tryKind(OperationKind kind);

OperationKind accessKind(EventKind kind);

} // namespace heddle::explore
