#pragma once

#include "control/workers.h"
#include "pipeline/learning.h"
#include "pipeline/runs/captured_run.h"

#include <atomic>
#include <unordered_set>

namespace heddle {

/// Stage 4: many runs under strategies that choose at random, until the budget is used, something
/// failed, or no new behaviour has appeared for a long time. Where the command does not end then,
/// something else is tried from there on.
///
/// The runs are cut into slices: a strategy and a range of seeds, both a function of the slice's
/// number alone. Slices run on as many workers as asked for and are merged in order of their
/// number, so that the number of workers changes neither what is run nor which failure is first.
/// A worker gets its slices in order, too: a behaviour that no earlier slice has is new to the
/// session that shows it, so that which run shows it first does not depend on the workers either.
class Sampling {
public:
  struct Outcome {
    bool paused = false;       ///< sample() goes on when it is called again
    bool settled = false;      ///< nothing new came any more
    uint64_t variety = 0;      ///< how often that was a reason to try something else
    std::string ending;        ///< why it ended, for the summary
    std::optional<Error> lost; ///< control was lost
    uint64_t behaviours = 0;
    Isolation isolation = Isolation::InPlace;
    std::string isolationReason;
  };

  static constexpr const char* kEndedByFailure =
      "the first failure ended the search (--keep-going goes on)";

  /// Gets the failing runs of each round, in order of the plan, while the time budget still runs:
  /// judging them is part of it.
  /// True: they end the search. False: they are known, or suppressed.
  using FailureSink = std::function<Result<bool>(const std::vector<FailingRun>&)>;

  /// `learning` may be null: then the points stay as they are. The sites of its candidates are the
  /// selected events of strategies that want some.
  Sampling(CommandContext& context, std::vector<StrategyKind> strategies, Learning* learning,
           FailureSink sink);

  /// Asked after each round: whether something else shall be done first.
  using Pause = std::function<bool()>;
  void setPause(Pause pause) { pause_ = std::move(pause); }

  /// Lets long runs be explored in windows, where they are.
  void exploreInWindows() { mayUseWindows_ = true; }

  Result<Outcome> sample();

private:
  /// What the runs of a slice are.
  enum class Part {
    Whole,
    WholeAtSync, ///< of long ones: with sync operations as the only points
    Windows,
  };
  /// Long runs are looked at in all ways in turn: what a few switches at sync operations show,
  /// whole runs show soonest; what needs many of them close to each other shows in windows.
  static constexpr Part kPartsOfLongRuns[] = {Part::WholeAtSync, Part::Windows, Part::Whole};

  struct Slice {
    StrategyKind strategy;
    uint32_t depth;
    uint64_t number;     ///< of the slice
    uint64_t firstIndex; ///< of its first run in the plan, from 0
    uint64_t runCount;
    Part part = Part::Whole;
    bool everySync = false; ///< no sync operation is thinned out
  };
  struct SliceResult {
    std::vector<RunResult> results;
    /// Those that were new to the session, in order; each run has its share of them.
    std::vector<uint64_t> behaviours;
    std::vector<FailingRun> failures;
    std::optional<Error> error;
    bool complete = false;
    uint64_t killed = 0;  ///< runs that were ended because the time was over
    std::string cutPlace; ///< where the first run was that was cut short
    Part part = Part::Whole;
  };
  enum class RoundEnd { GoOn, Stop };
  using Progress = Result<RoundEnd>;

  std::vector<Slice> nextRound();
  Slice nextSlice(uint64_t most);
  /// Runs that a round may have.
  uint64_t runsAllowed() const;
  /// What is tried when nothing new comes any more: other strategies, more preemptions that depend
  /// on each other, other events that count.
  std::vector<uint64_t> selectedFor(const Slice& slice) const;
  Progress settle(Outcome& outcome);
  Progress learnMore(Outcome& outcome);
  void runSlice(const Slice& slice, Session& session, SliceResult& result);
  /// Judges the last run of a batch; false when the slice ends with it.
  bool takeLast(const PlanRequest& request, RunRecord record, SliceResult& result);
  Status runRound(const std::vector<Slice>& slices, std::vector<SliceResult>& results);
  Progress mergeRound(std::vector<SliceResult>& results, Outcome& outcome);
  Progress judgeProgress(Outcome& outcome);
  /// Takes over the behaviours of the results from `from` on, of which the session had `known`
  /// before.
  static void takeBehaviours(const Session& session, size_t known, size_t from,
                             SliceResult& result);
  void mergeRuns(const SliceResult& slice);
  void noteIsolation(Outcome& outcome);
  void selectSites();
  PlanRequest slicePlan(const Slice& slice, uint64_t done) const;

  CommandContext& context_;
  std::vector<StrategyKind> strategies_;
  Learning* learning_;
  FailureSink sink_;
  Pause pause_;
  bool goesOn_; ///< behind failures: --keep-going, or because one was not what is looked for
  bool mayUseWindows_ = false;
  Workers workers_;
  std::vector<uint64_t> selected_; ///< the candidates' sites
  uint64_t sliceNumber_ = 0;
  uint64_t planned_ = 0; ///< runs in the slices so far
  uint64_t round_ = 0;
  uint64_t quietRuns_ = 0; ///< since the last new behaviour, or since something else is tried
  uint64_t variety_ = 0;   ///< how often something else was tried because nothing new came
  std::unordered_set<uint64_t> behaviours_;
};

} // namespace heddle
