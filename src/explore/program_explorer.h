#pragma once

#include "control/session.h"
#include "run_decoder.h"
#include "search.h"

#include <functional>

namespace heddle::explore {

/// A failure that an exploration has come to.
struct FoundFailure {
  FailureKind kind = FailureKind::None;
  SiteIdentity site = SiteIdentity::None;
  uint64_t classes = 0;         ///< that fail in this way
  uint64_t firstRun = 0;        ///< the number of the first such run, from 1
  std::vector<Choice> schedule; ///< all steps of that run, but for those of a failure and of second
                                ///< halves: what a run without kPlanHalves follows to it
};

struct ExplorationReport {
  SearchCounters counters;
  uint64_t runs = 0;     ///< with those of searches that were begun anew
  uint64_t reopened = 0; ///< how often, because more turned out to be shared
  bool isFinished = false;
  std::set<std::string> caveats;
  std::vector<FoundFailure> failures;
  std::vector<uint64_t> sites; ///< that were points: identities, sorted
  std::vector<ThreadPath> threads;
};

struct ExplorationOptions {
  SearchOptions search;
  uint64_t runs = 0;         ///< 0: any number
  bool endsAtFailure = true; ///< with the batch of the first one
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

private:
  struct Batch {
    std::vector<Task> tasks;
    std::vector<RunResult> results;
    std::vector<TraceEvent> events;
  };
  Status execute(Batch& batch);
  Status executeOnce(Batch& batch, bool& isWhole);
  /// Whether a search may go on: nothing new turned out to be shared.
  bool takeIn(const Batch& batch);
  void takeRun(const Task& task, DecodedRun& decoded, const RunResult& result);
  Status learnSharing();
  void noteFailure(const DecodedRun& decoded, const RunResult& result);
  bool isOver() const;
  size_t batchSize() const;

  Session& session_;
  PlanRequest plan_;
  ExplorationOptions options_;
  ProgramKnowledge knowledge_;
  Search search_;
  std::shared_ptr<const SiteCatalog> sites_;
  pid_t sitesOf_ = -1;      ///< the process that they belong to
  std::vector<Task> again_; ///< to be executed once more: threads went in another order
  ExplorationReport report_;
  uint64_t nextSeed_ = 1;
};

} // namespace heddle::explore
