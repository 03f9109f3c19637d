#pragma once

#include "control/batch_memory.h"
#include "control/modules.h"
#include "control/options.h"
#include "control/program.h"
#include "control/session.h"
#include "model/failing_run.h"
#include "model/finding.h"
#include "model/schedule_text.h"
#include "pipeline/suppressions.h"
#include "store/store.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// What a command shows while it works.
struct StageProgress {
  std::string stage;
  uint64_t runs = 0;
  uint64_t behaviours = 0;
  size_t findings = 0;
  size_t candidates = 0;   ///< forcing: all of them
  size_t cameAbout = 0;    ///< forcing: of the candidates
  double secondsLeft = -1; ///< below 0: no limit; showProgress fills it in
};
using ProgressListener = std::function<void(const StageProgress&)>;

/// The scheduling points of the plans that follow, and the name under which they are stored.
struct PointsChoice {
  PointSet kind = PointSet::Listed;
  std::vector<uint64_t> sites; ///< identities, sorted
  std::string name;
  std::map<uint64_t, uint64_t> executions; ///< of a site in a run, as far as it is known

  /// A list without entries is the sync operations alone, and needs no name to replay.
  PointSet used() const {
    return kind == PointSet::Listed && sites.empty() ? PointSet::Sync : kind;
  }
};

/// Runs that ended in each way. Those that look for something are apart from those that judge what
/// was found: that replay, compare, and make schedules shorter.
struct Tally {
  uint64_t runs = 0; ///< that look for something, recordings included
  uint64_t finished = 0;
  uint64_t failed = 0;
  uint64_t cut = 0;
  uint64_t idle = 0;
  uint64_t steps = 0;
  uint64_t outOfTime = 0;  ///< were ended because the time was over; in none of the numbers above
  uint64_t judging = 0;    ///< in none of the numbers above
  uint64_t minimizing = 0; ///< of those, the ones with parts of a schedule
  uint64_t windows = 0;    ///< of the runs, those that are windows of long ones
  std::string cutPlace;    ///< where the first run was that was cut short; may be empty
  RunResult last{};        ///< of the sampled runs, in order of the plan
  void add(const RunResult& result, bool failure);
  /// Runs that came to an end of their own.
  uint64_t ended() const { return finished + failed + idle; }
};

/// What the stages of one command share: what to run, what was learned, what was found.
/// Used from one thread.
class Campaign {
public:
  Campaign(std::shared_ptr<const Program> program, const Options& options, Store* store);

  const Program& program() const { return *program_; }
  std::shared_ptr<const Program> sharedProgram() const { return program_; }
  const Options& options() const { return options_; }
  Store* store() const { return store_; }

  /// A plan with everything that the options and the stages so far decide.
  PlanRequest plan(StrategyKind strategy, uint64_t firstSeed, uint64_t runCount) const;
  /// The sites that are points in the runs of a plan with this seed. All of them; but where some
  /// are executed very often these have their turn in a few plans only, so that a run does not take
  /// many times as long as it does alone.
  std::vector<uint64_t> drawSites(uint64_t seed) const;
  /// Lets only some executions of the points be points where runs have very many; see
  /// src/runtime/thinning.h. So many sites are executed often.
  void thinOut(PlanRequest& request, uint64_t sites) const;
  /// What a replay of a run of such a plan needs. Points that are learned later do not matter to
  /// it.
  FailingRun failingRun(RunRecord record, const PlanRequest& request) const;
  /// Puts the points of a failing run into the store, if they are not those of all runs.
  void keepPoints(FailingRun& failing);
  /// How long a replay may take.
  enum class Until {
    StageEnd, ///< it serves the stage that makes it
    Grace,    ///< it confirms what was found: a moment longer than the budget
  };
  /// A plan that follows a schedule, with these points.
  PlanRequest replayPlan(const Schedule& schedule, const std::vector<uint64_t>& sites,
                         Until until = Until::Grace) const;

  SessionOptions sessionOptions() const;
  /// Settings of a session that starts a fresh process for each run.
  SessionOptions freshSessionOptions() const;

  /// Takes over what the run without preemption showed.
  void learnFromFirstRun(const RunRecord& record, const Session::Notes& notes);
  /// A run whose scheduling points are those known now has about so many steps.
  void noteStepsWithPoints(uint64_t steps);
  /// Takes over the length of a run, for the plans that follow: PCT draws its change points over
  /// it.
  void noteLength(const RunResult& result);
  /// Whether runs are so long that they are sampled in windows; see src/runtime/windows.h.
  bool isLong() const;
  /// Whether runs have so many sync operations that these are thinned out, too. Not where threads
  /// wait for each other in loops of them: such loops are found out at points.
  bool thinsSync() const;
  /// Of the run without preemption; where sync operations are thinned out, fewer that take as long.
  uint64_t stepsOfWholeRun(bool everySync) const;
  /// Runs of a plan that is a pass with windows: those and the pass.
  static constexpr uint64_t kPassRuns = 65;
  /// Makes a plan of so many runs such a pass.
  void exploreInWindows(PlanRequest& request) const;
  /// Takes over the length of a pass.
  void notePass(const RunResult& result);
  /// How many programs to run at the same time: what was asked for, or else one for each core
  /// where the first run has shown nothing that only one process can have.
  unsigned jobs() const;
  /// Whether the run failed; one that only ends with a wrong status gets that as its failure.
  bool judgeEnd(RunRecord& record) const;
  /// Whether a run that the runtime calls finished is a failure all the same.
  bool isBadExit(const RunResult& result) const;
  int normalExitStatus() const { return normalExitStatus_; }

  /// Remembers which modules the session's process has mapped and what can not be seen in them.
  /// Does nothing when they are known or when there is no process.
  void noteModules(Session& session);
  const std::vector<ProgramModule>& modules() const { return modules_; }
  /// Warns of what the program did outside heddle's reach.
  void noteDoings(const Session& session);
  const std::vector<std::string>& notSeen() const { return notSeen_; }

  Suppressions& suppressions() { return suppressions_; }
  /// Reads the file of the option, if there is one.
  Status loadSuppressions();

  /// Sites that an analysis says to be local, identities, sorted: recordings leave them out.
  void setLocalSites(std::vector<uint64_t> sites) { localSites_ = std::move(sites); }
  const std::vector<uint64_t>& localSites() const { return localSites_; }
  void leaveOutLocalSites(PlanRequest& request) const;
  /// Takes in what such a recording has seen of them: one that is not local takes the belief from
  /// all of them.
  void checkLocalSites(const SiteCatalog& sites);
  uint64_t refutedLocalSites() const { return refutedLocalSites_; }

  PointsChoice& points() { return points_; }
  const PointsChoice& points() const { return points_; }
  Tally& tally() { return tally_; }
  const Tally& tally() const { return tally_; }
  /// Counts a run that looked for something.
  void count(const RunResult& result, bool failure);
  /// Counts runs that judge what was found.
  void countJudging(uint64_t runs) { tally_.judging += runs; }
  /// Notes that a run was cut short by the limit of steps, and where it was.
  void noteCut(const RunRecord& record);
  /// Notes the plan's run that was ended because the time was over, if there was one.
  void noteOutOfTime(const BatchReport& report) { tally_.outOfTime += report.killed; }
  /// Notes that an analysis has left out a part of what it was given.
  void noteLeftOut(const std::string& what) { ++leftOut_[what]; }
  /// What was left out and how often.
  const std::map<std::string, uint64_t>& leftOut() const { return leftOut_; }

  void addWarning(const std::string& text);
  const std::vector<std::string>& warnings() const { return warnings_; }

  double secondsUsed() const;
  /// From here on plans end with the time budget of the options, counted from the campaign's start.
  void limitTime() { timeLimited_ = true; }
  /// Lets what follows end earlier than the budget does; empty: no longer. See StageLimit.
  struct StageEnd {
    std::optional<double> seconds; ///< in secondsUsed()
    std::optional<uint64_t> runs;  ///< of the tally
  };
  void setStageEnd(const StageEnd& end) { stageEnd_ = end; }
  const StageEnd& stageEnd() const { return stageEnd_; }
  /// Seconds that are left of the time budget without what a confirmation needs, or of the stage's
  /// share; empty: no limit.
  std::optional<double> secondsLeft() const;
  /// Whether no stage may begin: the time was used up, or somebody pressed Ctrl-C. Thread-safe.
  bool mustEnd() const;
  /// Whether there is no time even for confirming: what is left is to report, at once.
  bool graceIsOver() const;

  /// From here on --runs is the number of all runs that look for something.
  void limitRuns() { runsLimited_ = true; }
  /// Runs that may still look for something; empty: no limit.
  std::optional<uint64_t> runsLeft() const;
  /// As mustEnd(), or no run is left.
  bool searchIsOver() const { return mustEnd() || runsLeft().value_or(1) == 0; }

  /// Whether the search ends when nothing new comes any more: not when somebody has said for how
  /// long to search.
  bool endsWhenSettled() const { return endsWhenSettled_; }
  void setEndsWhenSettled(bool ends) { endsWhenSettled_ = ends; }

  void setProgressListener(ProgressListener listener) { listener_ = std::move(listener); }
  void showProgress(const StageProgress& progress) const;

private:
  Schedule scheduleOf(const RunRecord& record) const;

  /// What is left when this much may be added to the budget; negative when even that is over.
  std::optional<double> secondsLeftWith(double grace) const;
  /// Seconds at the end of the budget that are kept for confirming: a run that is longer than the
  /// grace could not be replayed otherwise.
  double reservedSeconds() const;

  std::shared_ptr<const Program> program_;
  Options options_;
  Store* store_;
  PointsChoice points_;
  std::vector<uint64_t> localSites_;
  uint64_t refutedLocalSites_ = 0;
  Suppressions suppressions_;
  Tally tally_;
  std::vector<std::string> warnings_;
  std::vector<ProgramModule> modules_;
  std::vector<std::string> notSeen_;
  ProgressListener listener_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  uint64_t maxSteps_;
  uint64_t turnSteps_ = 0;    ///< Plan::turnSteps
  uint64_t longestRun_ = 0;   ///< choices of a run so far
  uint64_t longestNanos_ = 0; ///< of a run so far
  uint64_t longestPass_ = 0;  ///< the same of a pass with windows
  uint64_t firstSteps_ = 0;   ///< of the first run
  uint64_t syncChoices_ = 0;  ///< of the first run, with sync operations as the only points
  uint64_t mostSteps_ = 0;    ///< of a run with the points known so far
  uint32_t donorPool_ = 8;
  bool waitsInLoops_ = false; ///< in the first run, where threads had to be made to give way
  bool restorable_ = true;
  bool outlives_ = false;     ///< what the first run did that windows would do to each other
  std::string notRestorable_; ///< what the first run did that memory can not undo
  bool independent_ = true;   ///< runs at the same time do not see each other
  bool timeLimited_ = false;
  StageEnd stageEnd_;
  bool runsLimited_ = false;
  bool endsWhenSettled_;
  std::map<std::string, uint64_t> leftOut_;
  int normalExitStatus_ = 0;
};

/// Gives a stage a share of the time and the runs that are left, while it lives. What a stage has
/// found is confirmed after it.
class StageLimit {
public:
  /// No seconds, no runs: the stage may use all that is left.
  StageLimit(Campaign& campaign, std::optional<double> seconds,
             std::optional<uint64_t> runs = std::nullopt);
  StageLimit(const StageLimit&) = delete;
  StageLimit& operator=(const StageLimit&) = delete;
  ~StageLimit() { campaign_.setStageEnd(outer_); }

private:
  Campaign& campaign_;
  Campaign::StageEnd outer_; ///< which holds inside, too
};

/// A share of the time that is left; empty: no limit.
std::optional<double> shareOfTime(const Campaign& campaign, double share);
/// A share of the runs that are left, at least one; empty: no limit.
std::optional<uint64_t> shareOfRuns(const Campaign& campaign, double share);

/// Seconds that a command with these options may take; empty: no limit.
std::optional<double> timeBudget(const Options& options);

std::optional<StrategyKind> parseStrategy(const std::string& name);
std::optional<Isolation> parseIsolation(const std::string& name);

/// Names the build of a program in the store.
std::string buildName(const Program& program);

} // namespace heddle
