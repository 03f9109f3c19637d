#include "control/run_record.h"

namespace heddle {

ThreadNames RunRecord::threadNames() const {
  ThreadNames names;
  // Creators come before what they create: threads are in order of creation.
  for (const ThreadDetail& thread : threads)
    if (thread.parent < threads.size() && thread.path != ThreadPath::Main)
      names.add(threads[thread.parent].path, thread.ordinal);
  return names;
}

const char* outcomeName(Outcome outcome) {
  switch (outcome) {
  case Outcome::NotRun:
    return "not run";
  case Outcome::Finished:
    return "finished";
  case Outcome::Failed:
    return "failed";
  case Outcome::Cut:
    return "cut";
  case Outcome::Diverged:
    return "diverged";
  case Outcome::LostControl:
    return "lost control";
  case Outcome::Died:
    return "died";
  case Outcome::Idle:
    return "idle";
  }
  return "unknown";
}

const char* failureKindName(FailureKind kind) {
  switch (kind) {
  case FailureKind::None:
    return "none";
  case FailureKind::Assertion:
    return "assertion";
  case FailureKind::Crash:
    return "crash";
  case FailureKind::Exception:
    return "exception";
  case FailureKind::Deadlock:
    return "deadlock";
  case FailureKind::Hang:
    return "hang";
  case FailureKind::MemoryError:
    return "memory-error";
  case FailureKind::ExitStatus:
    return "exit-status";
  }
  return "unknown";
}

const char* isolationName(Isolation isolation) {
  switch (isolation) {
  case Isolation::Exec:
    return "exec";
  case Isolation::Fork:
    return "fork";
  case Isolation::InPlace:
    return "inplace";
  }
  return "unknown";
}

const char* strategyName(StrategyKind strategy) {
  switch (strategy) {
#define HEDDLE_STRATEGY_NAME(name, text)                                                           \
  case StrategyKind::name:                                                                         \
    return text;
    HEDDLE_STRATEGIES(HEDDLE_STRATEGY_NAME)
#undef HEDDLE_STRATEGY_NAME
  }
  return "unknown";
}

} // namespace heddle
