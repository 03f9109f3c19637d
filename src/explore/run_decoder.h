#pragma once

#include "memory_names.h"
#include "model/batch.h"
#include "model/site_catalog.h"
#include "sharing.h"
#include "thread_numbers.h"

#include <map>
#include <optional>
#include <set>
#include <span>

namespace heddle::explore {

using TraceEvent = heddle::Event;

/// What is known of a program across the runs of an exploration.
struct ProgramKnowledge {
  ThreadNumbers threads;
  Sharing sharing;
  std::set<uint64_t> sites; ///< identities of those that touch what threads share: they are points
  /// Words that threads wait on, by name: what they have before anybody writes them, if known.
  std::map<uint64_t, std::optional<uint32_t>> words;
  std::set<uint64_t> guards; ///< of static variables
  struct Barrier {
    std::set<ThreadNumber> threads; ///< that arrive there
    bool isOrdered = false;         ///< arrivals do not commute
  };
  std::map<uint64_t, Barrier> barriers; ///< by name
};

/// What a run has told.
struct DecodedRun {
  Run run;
  FailureKind failure = FailureKind::None;
  SiteId failureSite = SiteId::None;
  std::set<uint64_t> newSites;   ///< touch what threads share, and were no points
  std::set<std::string> caveats; ///< why the classes of runs like this one are not all of them
  bool foundObjects = false;     ///< words or guards that were not known: others may have used them
  bool isOutOfOrder = false;     ///< threads that were new went in another order than they will
};

/// Makes the steps of a search out of the events of one run (kPlanExplore).
class RunDecoder {
public:
  /// `knownThreads`: how many the runtime was told of.
  RunDecoder(ProgramKnowledge& knowledge, const SiteCatalog& sites, size_t knownThreads);

  DecodedRun decode(std::span<const TraceEvent> events, const RunResult& result);

private:
  /// An operation that may have to wait, until it is known how it went on.
  struct Attempt {
    EventKind kind = EventKind::Value;
    uint64_t object = 0;
    size_t step = 0;
    bool isBusy = false;
  };
  struct Thread {
    ThreadPath path = ThreadPath::None;
    ThreadNumber number = 0;
    uint32_t children = 0;
    size_t lastStep = 0; ///< + 1; 0: none
    Attempt attempt;
    bool isWaiting = false; ///< for a condition, or woken and without its mutex yet
    uint64_t condition = 0;
    uint64_t mutex = 0;
    bool isInBarrier = false;
    uint64_t word = 0;      ///< that it waits on
    size_t pendingStep = 0; ///< place in pending + 1: values that follow are about it
  };
  struct Lock {
    ThreadNumber owner = 0;
    uint32_t depth = 0;
  };

  void decodeOnce(std::span<const TraceEvent> events, const RunResult& result);
  Thread& threadOf(const TraceEvent& event);
  void take(const TraceEvent& event);
  void takeAccess(const TraceEvent& event);
  void takeValue(const TraceEvent& event);
  void takeCount(Operation& operation, uint64_t value);
  void noteArrival(Operation& operation);
  void takeExpected(Operation& operation, uint64_t value);
  void takeInitial(const Operation& operation, uint64_t value);
  void takeSync(const TraceEvent& event);
  void takeThreadEvent(const TraceEvent& event);
  void takeHeapEvent(const TraceEvent& event);
  void takeLock(const TraceEvent& event, uint64_t object);
  void takeUnlock(const TraceEvent& event, uint64_t object);
  void takeBarrier(const TraceEvent& event, uint64_t object);
  void takeWaitEvent(const TraceEvent& event, uint64_t object);
  void takeWoken(const TraceEvent& event);
  void takePending(const TraceEvent& event);
  void takeFutex(const TraceEvent& event, uint64_t object);
  void noteFutex(const TraceEvent& event, uint64_t object);
  bool makeWordStep(Operation& operation) const;
  void knowWord(uint64_t object);
  bool touchesPartOfWord(const Operation& operation) const;
  bool isResultUsed(SiteId site) const;
  bool isWordInUse(ThreadNumber thread, uint64_t address, uint64_t bytes);
  bool isOutcome(const TraceEvent& event) const;
  void settleAttempt(Thread& thread, const TraceEvent& event);
  void look(ThreadNumber thread, uint64_t address, uint64_t size, bool isWrite, SiteId site,
            bool isStep);
  Operation& addStep(Thread& thread, OperationKind kind, const TraceEvent& event);
  bool hasEnded(const Operation& pending) const;
  void finish(const RunResult& result);
  Operation describePending(Thread& thread, const TraceEvent& event);
  void describePendingSync(const Thread& thread, EventKind kind, Operation& operation);
  bool holdsForReading(const Thread& thread, uint64_t lock) const;
  bool isListed(SiteId site) const { return raw(site) < listed_.size() && listed_[raw(site)]; }
  uint64_t identityOf(SiteId site) const;
  void caveat(const char* text) { decoded_.caveats.insert(text); }

  ProgramKnowledge& knowledge_;
  const SiteCatalog& sites_;
  size_t knownThreads_;
  std::vector<bool> listed_; ///< by SiteId
  // Of the run
  DecodedRun decoded_;
  MemoryNames names_;
  std::vector<Thread> threads_; ///< by ThreadIndex
  std::vector<bool> isVoid_;    ///< steps that turned out to be none
  std::map<uint64_t, Lock> locks_;
  std::map<std::pair<ThreadNumber, uint64_t>, uint32_t> shared_; ///< locks held for reading
  std::map<uint64_t, std::set<ThreadNumber>> waiters_;
  std::map<uint64_t, int64_t> changes_; ///< of semaphores
  std::map<uint64_t, uint32_t> counts_; ///< of barriers and semaphores, at first
  std::set<uint64_t> written_;          ///< words
  std::map<uint64_t, std::map<ThreadNumber, uint32_t>> wordUsers_; ///< and when they used it last
  std::set<ThreadNumber> clockReaders_;
};

} // namespace heddle::explore
