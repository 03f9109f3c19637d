#include "event_kinds.h"
#include "run_decoder.h"

#include <algorithm>

/// What threads were about to do when the run ended, and how it ended.
namespace heddle::explore {

/// What cannot block; `operation` has its object.
void RunDecoder::describePendingSync(const Thread& thread, EventKind kind, Operation& operation) {
  switch (kind) {
  case EventKind::MutexUnlock:
  case EventKind::RwUnlock:
  case EventKind::SpinUnlock:
    operation.kind = holdsForReading(thread, operation.object) ? OperationKind::ReleaseShared
                                                               : OperationKind::Release;
    break;
  case EventKind::CondWait:
    operation.kind = OperationKind::Wait;
    caveat("a run ended while a thread was about to wait");
    break;
  case EventKind::CondSignal:
    operation.kind = OperationKind::NotifyOne;
    break;
  case EventKind::CondBroadcast:
    operation.kind = OperationKind::NotifyAll;
    break;
  case EventKind::FutexWait:
    operation.kind = OperationKind::WordWait;
    break;
  case EventKind::FutexWake:
    operation.kind = OperationKind::NotifyAll; // how many follows as a value
    operation.isOnWord = true;
    break;
  case EventKind::SemPost:
    operation.kind = OperationKind::SemaphorePost;
    operation.argument = counts_[operation.object];
    break;
  case EventKind::OnceEnd:
  case EventKind::GuardRelease:
    operation.kind = OperationKind::OnceEnd;
    break;
  case EventKind::ThreadExit:
  case EventKind::Exit:
    operation.kind = OperationKind::Exit;
    operation.object = 0;
    break;
  case EventKind::Failure:
    operation.kind = OperationKind::Fail;
    break;
  default:
    caveat("a run ended while a thread was about to do something that is in no class");
    operation.kind = OperationKind::Exit;
    break;
  }
}

Operation RunDecoder::describePending(Thread& thread, const TraceEvent& event) {
  EventKind kind = kindOf(event);
  Operation operation;
  operation.thread = thread.number;
  operation.isValueKnown = operation.isObservedKnown = false;
  operation.site = static_cast<SiteIdentity>(identityOf(static_cast<SiteId>(event.site)));
  MemoryNames::Place place = names_.find(event.address);
  operation.object = place.address;
  if (isAccess(kind)) {
    operation.kind = accessKind(kind);
    operation.address = place.address;
    operation.size = event.size;
    operation.object = place.block;
    makeWordStep(operation);
  } else if (thread.word != 0) {
    operation.kind = OperationKind::WordResume;
    operation.object = thread.word;
  } else if (thread.isWaiting) {
    operation.kind = OperationKind::Wake;
    operation.object = thread.condition;
    operation.second = thread.mutex;
  } else if (thread.isInBarrier) {
    operation.kind = OperationKind::BarrierDepart;
    operation.argument = counts_[place.address];
  } else if (isAttempt(kind)) {
    operation.kind = waitingKind(kind);
    if (kind == EventKind::ThreadJoin && event.size != 0 && event.size <= threads_.size())
      operation.argument = threads_[event.size - size_t{1}].number;
    if (kind == EventKind::SemWait)
      operation.argument = counts_[place.address];
  } else {
    describePendingSync(thread, kind, operation);
  }
  return operation;
}

void RunDecoder::takePending(const TraceEvent& event) {
  Thread& thread = threadOf(event);
  if (kindOf(event) == EventKind::Failure && event.size != 0) {
    decoded_.failure = static_cast<FailureKind>(event.size);
    decoded_.failureSite = static_cast<SiteId>(event.site);
    return;
  }
  if (thread.attempt.isBusy && thread.attempt.kind == kindOf(event))
    isVoid_[thread.attempt.step] = true;
  decoded_.run.pending.push_back(describePending(thread, event));
  thread.pendingStep = decoded_.run.pending.size();
}

/// Who has ended the process is still there in its last moments.
bool RunDecoder::hasEnded(const Operation& pending) const {
  return std::any_of(decoded_.run.operations.begin(), decoded_.run.operations.end(),
                     [&](const Operation& operation) {
                       return operation.thread == pending.thread &&
                              operation.kind == OperationKind::Exit;
                     });
}

void RunDecoder::finish(const RunResult& result) {
  Run& run = decoded_.run;
  size_t kept = 0;
  for (size_t i = 0; i < run.operations.size(); ++i)
    if (!isVoid_[i])
      run.operations[kept++] = run.operations[i];
  run.operations.resize(kept);
  for (auto* operations : {&run.operations, &run.pending})
    for (Operation& operation : *operations)
      if (auto word = knowledge_.words.find(operation.object); word != knowledge_.words.end())
        operation.argument = word->second.value_or(0);
  std::sort(run.pending.begin(), run.pending.end(),
            [](const Operation& a, const Operation& b) { return a.thread < b.thread; });
  switch (result.outcome) {
  case Outcome::Finished:
    std::erase_if(run.pending, [&](const Operation& operation) { return hasEnded(operation); });
    if (!run.pending.empty())
      caveat("threads still run when the program ends");
    run.pending.clear();
    break;
  case Outcome::Failed:
    run.ending = decoded_.failure == FailureKind::Deadlock ? Ending::Deadlock : Ending::Failure;
    run.failure = "failure";
    break;
  case Outcome::Diverged:
    run.ending = Ending::Diverged;
    break;
  default:
    run.ending = Ending::Diverged;
    caveat("a run was cut short");
    break;
  }
  if (result.flags & (kResultForcedYield | kResultTurn))
    caveat("loops that wait for another thread were cut short");
  if (clockReaders_.size() > 1)
    caveat("several threads read clocks, and what they see is in no class");
  if (result.flags & kResultUnordered)
    caveat("addresses of blocks or random numbers depend on which thread was first, which is in no "
           "class");
  if (result.flags & (kResultTimeout | kResultTimedWait))
    caveat("waits with a time limit end only when no other thread can run");
  if (run.ending == Ending::Failure &&
      (run.operations.empty() || run.operations.back().kind != OperationKind::Fail)) {
    Operation fail;
    fail.thread = run.operations.empty() ? 0 : run.operations.back().thread;
    fail.kind = OperationKind::Fail;
    fail.isHalf = true;
    run.operations.push_back(fail);
    caveat("other threads cannot go on before a crash");
  }
}

} // namespace heddle::explore
