#pragma once

#include "batch_executor.h"
#include "exploration_report.h"

#include <chrono>

namespace heddle::explore {

struct ExplorationOptions {
  SearchOptions search;
  uint64_t runs = 0;         ///< 0: any number
  bool endsAtFailure = true; ///< with the batch of the first one
  /// Whether a failure is one to end at; empty: each is.
  std::function<bool(const FoundFailure& failure, const SiteCatalog& sites)> isWanted;
  /// Whether branches about the site are to be tried first; empty: none is.
  std::function<bool(const SiteEntry& site)> isFocus;
  size_t jobs = 1;                  ///< processes that execute batches
  std::vector<uint64_t> sites = {}; ///< that are known to touch shared memory: identities
  /// Told of each run, in their order; empty: nobody is.
  std::function<void(const RunResult& result)> onRun;
  SessionFactory sessions; ///< with several jobs: makes the session of each
  std::string file;        ///< keeps the state of the search, to go on from; empty: nowhere
  uint64_t key = 0;        ///< of the program, its arguments and options: a file of another is left
  bool resumes = false;    ///< goes on from the file if it is there
  /// Whether to stop, asked between batches with the number of runs so far.
  std::function<bool(uint64_t runs, const SearchCounters& counters)> mustStop;
};

/// The prefixes of a batch as the runtime reads them; see PrefixHeader.
std::vector<std::byte> writePrefixes(const std::vector<ThreadPath>& threads,
                                     const std::vector<std::vector<Choice>>& schedules,
                                     uint64_t firstSeed);

/// Executes what a search asks for: real runs of a program, in batches.
///
/// Only accesses to memory that threads share are steps of the search. What is shared is seen in
/// the runs, which record all accesses: when more turns out to be, the search begins anew, with
/// these accesses as steps, too.
class ProgramExplorer {
public:
  /// `plan`: what the plans of all batches have in common.
  ProgramExplorer(Session& session, PlanRequest plan, ExplorationOptions options);

  /// Errors: the program cannot be started, control was lost, or a run did not do what an earlier
  /// one with the same steps did.
  Result<ExplorationReport> explore();

  /// So many runs more, with one process and so much time for a batch (0: any); without runs that
  /// only learn what is shared. May be called again and again, and instead of explore().
  Status proceed(uint64_t runs, uint64_t wallNanos);
  /// What proceed() has found so far.
  const ExplorationReport& report() const { return report_; }
  /// Whether proceed() has nothing left to do.
  bool hasEnded() const { return hasEnded_; }

private:
  std::unique_ptr<Batch> makeBatch(std::vector<Task> tasks);
  std::unique_ptr<Batch> nextBatch();
  /// Whether a search may go on: nothing new turned out to be shared.
  bool takeIn(const Batch& batch);
  std::vector<Analysis> analyse(const Batch& batch, const std::vector<DecodedRun>& runs) const;
  void takeRun(const Batch& batch, size_t number, DecodedRun& decoded, Analysis analysis);
  Status learnSharing();
  void findFocus(const SiteCatalog& sites);
  void noteFailure(const Batch& batch, const DecodedRun& decoded, const RunResult& result);
  void beginAnew();
  /// Takes in what a batch gave. False: the exploration ends.
  bool goOnAfter(const Batch& batch);
  Status exploreAlone();
  Status exploreByWorkers();
  void countRun(const RunResult& result);
  void takeStock();
  bool isOver() const;
  size_t batchSize() const;
  void saveNow() const;
  void saveSometimes();
  Status resume();

  BatchExecutor executor_;
  PlanRequest plan_;
  ExplorationOptions options_;
  ProgramKnowledge knowledge_;
  Search search_;
  std::vector<Task> again_;             ///< to be executed once more: threads went in another order
  std::vector<TraceEvent> spareEvents_; ///< memory for the next batch's: they take megabytes
  ExplorationReport report_;
  bool foundWanted_ = false;
  bool hasEnded_ = false;
  uint64_t nextSeed_ = 1;
  uint64_t eventsPerRun_ = 0; ///< of the last batch
  std::chrono::steady_clock::time_point savedAt_;
};

} // namespace heddle::explore
