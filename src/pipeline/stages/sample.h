#pragma once

#include "control/workers.h"
#include "pipeline/stages/search_state.h"
#include "pipeline/stages/stage.h"

#include <atomic>
#include <unordered_set>

namespace heddle {

/// Many runs under strategies that choose at random, until the budget is used, something failed, or
/// no new behaviour has appeared for a long time. Where the search does not end then, something
/// else is tried from there on. Between rounds it goes on recording.
///
/// The runs are cut into slices: a strategy and a range of seeds, both a function of the slice's
/// number alone. Slices run on as many workers as asked for and are merged in order of their
/// number, so that the number of workers changes neither what is run nor which failure is first.
/// A worker gets its slices in order, too: a behaviour that no earlier slice has is new to the
/// session that shows it, so that which run shows it first does not depend on the workers either.
class Sample final : public Stage {
public:
  Sample(SearchState& search, std::vector<StrategyKind> strategies);

  /// Lets long runs be explored in windows, where they are.
  void exploreInWindows() { mayUseWindows_ = true; }
  /// Lets sleeps and time limits be over early in a part of the runs, as on a busy machine.
  void delayThreads() { mayDelay_ = true; }

  /// A round of runs, or what is to be done between two of them.
  Turn advance() override;
  bool wantsShortTurn() const override { return ending_.empty(); }
  /// One slice, of the next strategy; now and then a recording.
  Turn advanceShortly() override;
  bool wantsMore() const override { return ending_.empty(); }
  void endByFailure() override;
  void summarize(Report& report) override;

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
    std::vector<CapturedRun> failures;
    std::optional<Error> error;
    bool complete = false;
    uint64_t killed = 0;  ///< runs that were ended because the time was over
    std::string cutPlace; ///< where the first run was that was cut short
    Part part = Part::Whole;
  };

  std::vector<Slice> nextRound();
  Slice shortSlice();
  Turn runSlicesOfRound(const std::vector<Slice>& slices);
  Slice nextSlice(uint64_t most);
  /// Runs that a round may have.
  uint64_t runsAllowed() const;
  /// What is tried when nothing new comes any more: other strategies, more preemptions that depend
  /// on each other, other events that count.
  std::vector<uint64_t> selectedFor(const Slice& slice) const;
  void start();
  Turn runRound();
  /// Looks whether it is over; if not, records once more.
  Turn takeStock();
  void settle(Turn& turn);
  void learnMore(Turn& turn);
  void runSlice(const Slice& slice, Session& session, SliceResult& result);
  /// Judges the last run of a batch; false when the slice ends with it.
  bool takeLast(const PlanRequest& request, RunRecord record, SliceResult& result);
  Status runSlices(const std::vector<Slice>& slices, std::vector<SliceResult>& results);
  void mergeRound(std::vector<SliceResult>& results, Turn& turn);
  /// Takes over the behaviours of the results from `from` on, of which the session had `known`
  /// before.
  static void takeBehaviours(const Session& session, size_t known, size_t from,
                             SliceResult& result);
  void mergeRuns(const SliceResult& slice);
  void noteIsolation();
  void selectSites();
  PlanRequest slicePlan(const Slice& slice, uint64_t done) const;

  SearchState& search_;
  CommandContext& context_;
  std::vector<StrategyKind> strategies_;
  bool goesOn_; ///< after failures: --keep-going, or because one was not what is looked for
  bool mayDelay_ = false;
  bool mayUseWindows_ = false;
  bool betweenRounds_ = false;
  std::optional<Workers> workers_; ///< its own: which behaviours are new depends on the sessions
  std::vector<uint64_t> selected_; ///< the candidates' sites
  uint64_t sliceNumber_ = 0;
  uint64_t planned_ = 0; ///< runs in the slices so far
  uint64_t round_ = 0;
  uint64_t shortTurns_ = 0, shortSlices_ = 0; ///< of the opening
  uint64_t freshRuns_ = 0;                    ///< that have shown a new behaviour
  uint64_t quietRuns_ = 0; ///< since the last new behaviour, or since something else is tried
  uint64_t variety_ = 0;   ///< how often something else was tried because nothing new came
  std::unordered_set<uint64_t> behaviours_;
  std::string ending_; ///< why it is over; empty: it is not
  Isolation isolation_ = Isolation::InPlace;
  std::string isolationReason_;
};

} // namespace heddle
