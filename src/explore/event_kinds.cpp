#include "event_kinds.h"

namespace heddle::explore {

bool isHalfPoint(EventKind kind) {
  return kind == EventKind::BarrierLeave || kind == EventKind::FutexLeave ||
         kind == EventKind::OnceEnd || kind == EventKind::Free || kind == EventKind::Failure;
}

bool isAttempt(EventKind kind) {
  switch (kind) {
  case EventKind::MutexLock:
  case EventKind::MutexTryLock:
  case EventKind::ReadLock:
  case EventKind::WriteLock:
  case EventKind::SpinLock:
  case EventKind::SemWait:
  case EventKind::OnceBegin:
  case EventKind::GuardAcquire:
  case EventKind::ThreadJoin:
    return true;
  default:
    return false;
  }
}

OperationKind waitingKind(EventKind kind) {
  switch (kind) {
  case EventKind::MutexTryLock:
    return OperationKind::TryAcquire;
  case EventKind::ReadLock:
    return OperationKind::AcquireShared;
  case EventKind::SemWait:
    return OperationKind::SemaphoreWait;
  case EventKind::OnceBegin:
  case EventKind::GuardAcquire:
    return OperationKind::OnceBegin;
  case EventKind::ThreadJoin:
    return OperationKind::Join;
  default:
    return OperationKind::Acquire;
  }
}

OperationKind tryKind(OperationKind kind) {
  switch (kind) {
  case OperationKind::Acquire:
    return OperationKind::TryAcquire;
  case OperationKind::AcquireShared:
    return OperationKind::TryAcquireShared;
  case OperationKind::SemaphoreWait:
    return OperationKind::SemaphoreTryWait;
  default:
    return kind;
  }
}

OperationKind accessKind(EventKind kind) {
  if (kind == EventKind::AtomicUpdate)
    return OperationKind::Update;
  return isWrite(kind) ? OperationKind::Write : OperationKind::Read;
}

} // namespace heddle::explore
