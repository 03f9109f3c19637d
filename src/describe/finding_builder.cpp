#include "describe/finding_builder.h"

#include "describe/expectation.h"
#include "describe/finding_notes.h"
#include "describe/function_name.h"
#include "describe/interleaving.h"
#include "describe/late_use_text.h"
#include "describe/missed_wakeup_text.h"
#include "describe/site_places.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <tuple>

namespace heddle {
namespace {

FindingKind findingKind(FailureKind kind) {
  switch (kind) {
  case FailureKind::None:
  case FailureKind::ExitStatus:
    return FindingKind::ExitStatus;
  case FailureKind::Assertion:
    return FindingKind::Assertion;
  case FailureKind::Crash:
    return FindingKind::Crash;
  case FailureKind::Exception:
    return FindingKind::Exception;
  case FailureKind::Deadlock:
    return FindingKind::Deadlock;
  case FailureKind::Hang:
    return FindingKind::Hang;
  case FailureKind::MemoryError:
    return FindingKind::MemoryError;
  case FailureKind::NotLinearizable:
    return FindingKind::NotLinearizable;
  }
  return FindingKind::Crash;
}

const char* waitText(WaitKind kind) {
  switch (kind) {
  case WaitKind::None:
    return "nothing";
  case WaitKind::Mutex:
    return "mutex";
  case WaitKind::RwLockRead:
    return "read lock";
  case WaitKind::RwLockWrite:
    return "write lock";
  case WaitKind::SpinLock:
    return "spin lock";
  case WaitKind::Condition:
    return "condition variable";
  case WaitKind::Barrier:
    return "barrier";
  case WaitKind::Semaphore:
    return "semaphore";
  case WaitKind::Once:
    return "once initialization";
  case WaitKind::Guard:
    return "initialization of a static variable";
  case WaitKind::Futex:
    return "futex";
  case WaitKind::Join:
    return "the end of a thread";
  case WaitKind::Sleep:
    return "time to pass";
  case WaitKind::Io:
    return "input or output";
  case WaitKind::Library:
    return "a lock inside a library";
  }
  return "something";
}

std::string_view baseName(std::string_view path) {
  return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

/// Builds the parts of one finding out of one record.
class Builder {
public:
  Builder(const RunRecord& record, const ObjectNames& objects)
      : record_(record), objects_(objects) {}

  std::optional<FindingSite> threadSite(unsigned index) const {
    if (index >= record_.threads.size())
      return std::nullopt;
    const ThreadDetail& thread = record_.threads[index];
    SiteId site = static_cast<SiteId>(thread.site);
    WaitKind wait = thread.state == ThreadState::Blocked ? thread.wait : WaitKind::None;
    auto result = siteOfEntry(record_, userSiteOf(record_, site, thread.frames, thread.frameCount),
                              site, wait, index);
    if (!result)
      return result;
    if (wait != WaitKind::None)
      result->object = waitObject(thread, result->object);
    result->stack = stackOf(record_, site, thread.frames, thread.frameCount);
    return result;
  }

  std::optional<FindingSite> failureSite() const {
    unsigned index = raw(record_.thread);
    if (record_.site != SiteId::None && index < record_.threads.size()) {
      const ThreadDetail& thread = record_.threads[index];
      auto site =
          siteOfEntry(record_, userSiteOf(record_, record_.site, thread.frames, thread.frameCount),
                      record_.site, WaitKind::None, index);
      if (site)
        site->stack = stackOf(record_, record_.site, thread.frames, thread.frameCount);
      if (site)
        return site;
    }
    return threadSite(index);
  }

  /// The frame of the failing thread at an expectation. Nothing else tells it from what was called
  /// last: GoogleTest, which ends the run, need not be instrumented.
  std::optional<FindingSite> siteAt(const FailedExpectation& expectation) const {
    unsigned index = raw(record_.thread);
    if (index >= record_.threads.size())
      return std::nullopt;
    const ThreadDetail& thread = record_.threads[index];
    for (uint32_t i = std::min(thread.frameCount, kMaxFrames); i > 0; --i) {
      auto id = static_cast<SiteId>(thread.frames[i - 1]);
      const SiteEntry* frame = record_.siteEntry(id);
      if (!frame || frame->line != expectation.line ||
          baseName(frame->file) != baseName(expectation.file))
        continue;
      auto site = siteOfEntry(record_, frame, id, WaitKind::None, index);
      if (site)
        site->stack = stackOf(record_, id, thread.frames, i);
      return site;
    }
    return std::nullopt;
  }

  std::string waitObject(const ThreadDetail& thread, const std::string& named) const {
    if (!named.empty())
      return named;
    return objects_.name(thread.waitObject);
  }

  std::string threadState(const ThreadDetail& thread) const {
    if (thread.state == ThreadState::Finished)
      return "finished";
    if (thread.state == ThreadState::Runnable)
      return "can run";
    bool knowsOwner = thread.waitOwner != raw(ThreadIndex::None);
    if (thread.wait == WaitKind::Join && knowsOwner)
      return "blocked: waits for the end of T" + std::to_string(thread.waitOwner);
    std::string text = std::string("blocked: waits for ") + waitText(thread.wait);
    const SiteEntry* shown =
        userSiteOf(record_, static_cast<SiteId>(thread.site), thread.frames, thread.frameCount);
    std::string object =
        objects_.numbered(thread.waitObject, waitObject(thread, shown ? shown->object : ""));
    if (!object.empty() && thread.wait != WaitKind::Sleep && thread.wait != WaitKind::Join)
      text += " " + object;
    if (knowsOwner)
      text += (isLockWait(thread.wait) ? " held by T" : ": T") + std::to_string(thread.waitOwner);
    return text;
  }

  ThreadInfo threadInfo(unsigned index, const ThreadNames& names) const {
    const ThreadDetail& thread = record_.threads[index];
    ThreadInfo info;
    info.index = index;
    info.path = names.text(thread.path);
    info.name = std::string(thread.name, strnlen(thread.name, sizeof(thread.name)));
    info.state = threadState(thread);
    info.parent = thread.parent == raw(ThreadIndex::None) ? 0 : thread.parent;
    info.stack =
        stackOf(record_, static_cast<SiteId>(thread.site), thread.frames, thread.frameCount);
    info.createdAt = stackOf(record_, static_cast<SiteId>(thread.createSite), thread.createFrames,
                             thread.createFrameCount);
    for (uint32_t i = 0; i < std::min(thread.heldCount, kMaxHeldLocks); ++i)
      info.held.push_back(heldText(record_, objects_, thread.held[i]));
    return info;
  }

  std::vector<FindingSite> sites(FindingKind kind) const {
    std::vector<FindingSite> found;
    if (kind == FindingKind::Deadlock)
      return deadlockSites();
    if (auto site = failureSite())
      found.push_back(*site);
    if (kind == FindingKind::MemoryError) {
      addHeapSite(found, record_.freeSite, record_.freeThread, "freed");
      addHeapSite(found, record_.allocationSite, record_.allocationThread, "allocated");
    }
    return found;
  }

private:
  void addHeapSite(std::vector<FindingSite>& found, SiteId id, ThreadIndex thread,
                   const char* role) const {
    SiteId call = objects_.heapCall(id, raw(thread), record_.address);
    const SiteEntry* shown = record_.siteEntry(call == SiteId::None ? id : call);
    auto site = siteOfEntry(record_, shown, id, WaitKind::None, raw(thread));
    if (!site)
      return;
    site->role = role;
    found.push_back(*site);
  }

  std::vector<FindingSite> deadlockSites() const {
    std::vector<FindingSite> found;
    for (unsigned i = 0; i < record_.threads.size(); ++i) {
      const ThreadDetail& thread = record_.threads[i];
      // A thread that only waits for others to end is a victim, not a part of the cycle.
      if (thread.state != ThreadState::Blocked || thread.wait == WaitKind::Join)
        continue;
      if (auto site = threadSite(i))
        found.push_back(*site);
    }
    // The id must not depend on which thread came first.
    std::sort(found.begin(), found.end(), [](const FindingSite& a, const FindingSite& b) {
      return std::tie(a.linkageName, a.object, a.ordinal, a.thread) <
             std::tie(b.linkageName, b.object, b.ordinal, b.thread);
    });
    return found;
  }

  const RunRecord& record_;
  const ObjectNames& objects_;
};

std::string deadlockMessage(const RunRecord& record, const Builder& builder) {
  auto waits = [](const ThreadDetail& thread) {
    return thread.state == ThreadState::Blocked && thread.wait != WaitKind::Join;
  };
  // Who only waits for a thread of the cycle to end adds nothing, unless that is all there is.
  bool cycle = std::any_of(record.threads.begin(), record.threads.end(), waits);
  std::string text = "deadlock:";
  bool first = true;
  for (unsigned i = 0; i < record.threads.size(); ++i) {
    const ThreadDetail& thread = record.threads[i];
    if (cycle ? !waits(thread) : thread.state != ThreadState::Blocked)
      continue;
    std::string state = builder.threadState(thread);
    text += (first ? " T" : ", T") + std::to_string(i) + " " + state.substr(state.find("waits"));
    first = false;
  }
  return text;
}

std::string failureMessage(const RunRecord& record, const Builder& builder, int normalExit) {
  std::string said = readableMessage(record.message);
  switch (record.failure) {
  case FailureKind::None:
  case FailureKind::ExitStatus:
    return "the program ends with exit status " + std::to_string(record.result.exitStatus) +
           "; without preemption it ends with " + std::to_string(normalExit);
  case FailureKind::Deadlock:
    return record.threads.empty() && !said.empty() ? said : deadlockMessage(record, builder);
  case FailureKind::Assertion:
    return said.empty() ? "the program aborted" : said;
  case FailureKind::Crash: {
    const char* name = sigabbrev_np(record.signal);
    std::string signal = std::string("SIG") + (name ? name : "?");
    return said.empty() ? "the program crashed with " + signal : said;
  }
  case FailureKind::Exception:
    return said.empty() ? "uncaught exception" : said;
  case FailureKind::Hang:
    return said.empty() ? "no thread progresses: the step budget was used up" : said;
  case FailureKind::MemoryError:
    return said.empty() ? "memory error" : said;
  case FailureKind::NotLinearizable:
    return said.empty() ? "an outcome that no serial order gives" : said;
  }
  return said;
}

/// Where GoogleTest says that an expectation is.
FindingSite siteOfExpectation(const FailedExpectation& expectation, const std::string& test) {
  FindingSite site;
  site.location = {expectation.file, expectation.line, 0, test};
  site.linkageName = test; // the line must not be in the id
  site.access = "call";
  return site;
}

/// A failed expectation is a failed assertion, whether the program then traps or goes on to its
/// end.
void describeExpectation(Finding& finding, const FailedExpectation& expectation,
                         const Builder& builder) {
  finding.kind = FindingKind::Assertion;
  finding.message = "failed expectation: " + expectation.message;
  if (expectation.file.empty())
    return;
  auto site = builder.siteAt(expectation);
  finding.sites = {site ? *site : siteOfExpectation(expectation, finding.test)};
}

} // namespace

Finding buildFinding(const CapturedRun& failing, const RunRecord& replayed,
                     const RecordedRun* recorded, int normalExitStatus) {
  const RunRecord& record = recorded ? recorded->record : replayed;
  ObjectNames objects;
  if (recorded)
    objects = nameObjects(*recorded);
  Builder builder(record, objects);
  Finding finding;
  finding.kind = findingKind(failing.record.failure);
  finding.status = FindingStatus::Confirmed;
  finding.sites = builder.sites(finding.kind);
  finding.message = failureMessage(record, builder, normalExitStatus);
  finding.test = failing.test;
  if (auto expectation = expectationOf(failing.record))
    describeExpectation(finding, *expectation, builder);
  FailureInfo failure{finding.kind, finding.message, std::nullopt};
  if (!finding.sites.empty())
    failure.site = finding.sites.front();
  finding.failure = std::move(failure);
  if (recorded && finding.kind == FindingKind::Deadlock)
    tellMissedWakeup(finding, *recorded, objects);
  ThreadNames names = record.threadNames();
  for (unsigned i = 0; i < record.threads.size(); ++i)
    finding.threads.push_back(builder.threadInfo(i, names));
  if (recorded)
    finding.steps = selectSteps(*recorded, objects, failing.schedule.decisions);
  finding.notes = notesOf(finding.kind, failing, recorded);
  if (std::string late = recorded ? lateUseText(*recorded, objects) : ""; !late.empty())
    finding.notes.push_back(std::move(late));
  finding.output = record.output;
  finding.strategy = strategyName(failing.strategy);
  finding.seed = failing.record.result.seed;
  finding.run = failing.index;
  finding.digest = replayed.result.digest;
  finding.id = fingerprint(finding);
  finding.replay = "heddle replay " + finding.id;
  return finding;
}

void addSchedule(Finding& finding, const CapturedRun& failing) {
  finding.schedule = printSchedule(failing.schedule, failing.record.threadNames());
}

} // namespace heddle
