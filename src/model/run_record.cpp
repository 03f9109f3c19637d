#include "model/run_record.h"

#include <algorithm>

namespace heddle {

ThreadNames RunRecord::threadNames() const {
  ThreadNames names;
  // Creators come before what they create: threads are in order of creation.
  for (const ThreadDetail& thread : threads)
    if (thread.parent < threads.size() && thread.path != ThreadPath::Main)
      names.add(threads[thread.parent].path, thread.ordinal);
  return names;
}

namespace {

/// The thread that ran; where that is not known one that could have.
const ThreadDetail* runningThread(const RunRecord& record) {
  if (raw(record.thread) < record.threads.size())
    return &record.threads[raw(record.thread)];
  auto runnable =
      std::find_if(record.threads.begin(), record.threads.end(), [](const ThreadDetail& thread) {
        return thread.state == ThreadState::Runnable;
      });
  return runnable == record.threads.end() ? nullptr : &*runnable;
}

} // namespace

const SiteEntry* lastPlaceOf(const RunRecord& record) {
  const ThreadDetail* running = runningThread(record);
  if (!running)
    return nullptr;
  const ThreadDetail& thread = *running;
  std::vector<uint32_t> sites = {thread.site};
  sites.insert(sites.end(), thread.frames,
               thread.frames + std::min<uint32_t>(thread.frameCount, kMaxFrames));
  const SiteEntry* place = nullptr;
  for (uint32_t id : sites) {
    const SiteEntry* site = record.siteEntry(static_cast<SiteId>(id));
    if (site && site->isUserCode())
      return site;
    place = place ? place : site;
  }
  return place;
}

std::string placeOf(const RunRecord& record) {
  const SiteEntry* exact = record.siteEntry(record.site);
  const SiteEntry* last = lastPlaceOf(record);
  bool isBetter = last && (!exact || (last->isUserCode() && !exact->isUserCode()));
  const SiteEntry* site = isBetter ? last : exact;
  if (!site)
    return {};
  std::string thread = record.thread == ThreadIndex::None
                           ? "a thread"
                           : "thread T" + std::to_string(raw(record.thread));
  return thread + " was in " + site->function + " (" + site->file + ":" +
         std::to_string(site->line) + ")";
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
  case Outcome::Explored:
    return "explored";
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
  case FailureKind::NotLinearizable:
    return "not-linearizable";
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
