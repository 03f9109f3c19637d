#include "describe/finding_notes.h"

#include "describe/operations.h"

#include <algorithm>

namespace heddle {
namespace {

bool decides(const Schedule& schedule, DecisionKind kind) {
  return std::any_of(schedule.decisions.begin(), schedule.decisions.end(),
                     [kind](const Decision& decision) { return decision.kind == kind; });
}

/// Waits that end when somebody outside or a clock does something, not another thread.
bool waitsOutside(WaitKind kind) { return kind == WaitKind::Io || kind == WaitKind::Sleep; }

bool waitsForWork(WaitKind kind) {
  return waitsOutside(kind) || kind == WaitKind::Condition || kind == WaitKind::Semaphore ||
         kind == WaitKind::Futex || kind == WaitKind::Join;
}

/// Whether a thread that can run is in a loop that sleeps or does input.
bool loopsOutside(const std::vector<Operation>& operations, unsigned thread) {
  constexpr size_t kLookBack = 1000;
  size_t seen = 0;
  for (size_t i = operations.size(); i > 0 && seen < kLookBack; --i) {
    const Operation& operation = operations[i - 1];
    if (operation.thread != thread)
      continue;
    ++seen;
    if (operation.kind == EventKind::Sleep || operation.kind == EventKind::Io)
      return true;
  }
  return false;
}

/// Whether all threads that are left do what those of a server do when there is no work: they wait
/// for input, time or a notification. A lost notification looks the same, so that alone is not
/// enough, unless it happens without any preemption.
bool looksLikeServer(const CapturedRun& failing, const RecordedRun* recorded) {
  std::vector<Operation> operations =
      recorded ? readOperations(*recorded, {}) : std::vector<Operation>();
  const RunRecord& record = recorded ? recorded->record : failing.record;
  bool outside =
      failing.index <= 1 && failing.schedule.decisions.empty() && mayServe(record.threads);
  for (unsigned i = 0; i < record.threads.size(); ++i) {
    const ThreadDetail& thread = record.threads[i];
    if (thread.state == ThreadState::Finished)
      continue;
    bool waits = thread.state == ThreadState::Blocked;
    if (waits ? !waitsForWork(thread.wait) : !loopsOutside(operations, i))
      return false;
    outside |= !waits || waitsOutside(thread.wait);
  }
  return outside && !record.threads.empty();
}

} // namespace

bool mayServe(const std::vector<ThreadDetail>& threads) {
  bool mainJoins = !threads.empty() && threads[0].state == ThreadState::Blocked &&
                   threads[0].wait == WaitKind::Join;
  if (!mainJoins)
    return true;
  for (size_t i = 1; i < threads.size(); ++i)
    for (size_t j = 1; j < i; ++j)
      if (threads[i].state == ThreadState::Blocked && threads[j].state == ThreadState::Blocked &&
          threads[i].site == threads[j].site && threads[i].waitObject == threads[j].waitObject)
        return true;
  return false;
}

std::vector<std::string> notesOf(FindingKind kind, const CapturedRun& failing,
                                 const RecordedRun* recorded) {
  std::vector<std::string> notes;
  bool stands = kind == FindingKind::Hang || kind == FindingKind::Deadlock;
  if (stands && looksLikeServer(failing, recorded))
    notes.push_back("all threads wait for input, time or work: if the program is meant to "
                    "go on like this, as a server does, use --until-idle");
  uint32_t flags = failing.record.result.flags;
  const Schedule& schedule = failing.schedule;
  if (flags & kResultEnvironment)
    notes.push_back("environment-dependent");
  // Timers also expire early when threads only give way to each other; that needs no option.
  bool early = schedule.timeAny && decides(schedule, DecisionKind::Timeout);
  if ((flags & kResultTimeout) || early)
    notes.push_back("needs --time=any");
  if ((flags & kResultSpurious) || decides(schedule, DecisionKind::Spurious))
    notes.push_back("needs --spurious");
  return notes;
}

} // namespace heddle
