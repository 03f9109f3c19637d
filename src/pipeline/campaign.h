#pragma once

#include "control/batch_memory.h"
#include "control/modules.h"
#include "control/options.h"
#include "control/program.h"
#include "control/session.h"
#include "model/finding.h"
#include "model/schedule_text.h"
#include "pipeline/suppressions.h"
#include "store/store.h"

#include <chrono>
#include <functional>
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

  /// A list without entries is the sync operations alone, and needs no name to replay.
  PointSet used() const {
    return kind == PointSet::Listed && sites.empty() ? PointSet::Sync : kind;
  }
};

/// Runs that ended in each way.
struct Tally {
  uint64_t runs = 0;
  uint64_t finished = 0;
  uint64_t failed = 0;
  uint64_t cut = 0;
  uint64_t idle = 0;
  uint64_t steps = 0;
  uint64_t minimizing = 0; ///< runs with parts of a schedule, in none of the numbers above
  RunResult last{};        ///< of the sampled runs, in order of the plan
  void add(const RunResult& result, bool failure);
};

/// A run that failed, with all that a replay of it needs.
struct FailingRun {
  RunRecord record;
  Schedule schedule;
  std::vector<uint64_t> sites; ///< the set that the schedule's pointsName names
  StrategyKind strategy = StrategyKind::Random;
  uint64_t index = 0; ///< in the order of the plan, from 1
  std::string test;   ///< of the program; see Program::test
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
  /// What a replay of a run of such a plan needs. Points that are learned later do not matter to
  /// it.
  FailingRun failingRun(RunRecord record, StrategyKind strategy) const;
  /// A plan that follows a schedule, with these points.
  PlanRequest replayPlan(const Schedule& schedule, const std::vector<uint64_t>& sites) const;

  SessionOptions sessionOptions() const;
  /// Settings of a session that starts a fresh process for each run.
  SessionOptions freshSessionOptions() const;

  /// Takes over what the run without preemption showed.
  void learnFromFirstRun(const RunResult& result, const Session::Notes& notes);
  /// A run whose scheduling points are those known now has about so many steps.
  void noteStepsWithPoints(uint64_t steps);
  /// Takes over the length of a run, for the plans that follow: PCT draws its change points over
  /// it.
  void noteLength(const RunResult& result);
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

  void addWarning(const std::string& text);
  const std::vector<std::string>& warnings() const { return warnings_; }

  double secondsUsed() const;
  /// From here on plans end with the time budget of the options, counted from the campaign's start.
  void limitTime() { timeLimited_ = true; }
  /// Lets what follows end earlier than the budget does, at this time of secondsUsed(); empty: no
  /// longer. See StageLimit.
  void limitStage(std::optional<double> end) { stageEnd_ = end; }
  /// Seconds that are left of the time budget, or of the stage's share; empty: no limit.
  std::optional<double> secondsLeft() const;
  /// Whether no stage may begin: the time was used up, or somebody pressed Ctrl-C. Thread-safe.
  bool mustEnd() const;

  void setProgressListener(ProgressListener listener) { listener_ = std::move(listener); }
  void showProgress(const StageProgress& progress) const;

private:
  Schedule scheduleOf(const RunRecord& record) const;

  /// What is left when this much may be added to the budget; negative when even that is over.
  std::optional<double> secondsLeftWith(double grace) const;

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
  uint64_t longestRun_ = 0; ///< choices of a run so far
  uint32_t donorPool_ = 8;
  bool restorable_ = true;
  bool independent_ = true; ///< runs at the same time do not see each other
  bool timeLimited_ = false;
  std::optional<double> stageEnd_; ///< in secondsUsed()
  int normalExitStatus_ = 0;
};

/// Gives a stage a share of the time that is left, while it lives. What a stage has found is
/// confirmed behind it.
class StageLimit {
public:
  /// No seconds: the stage may use all that is left.
  StageLimit(Campaign& campaign, std::optional<double> seconds) : campaign_(campaign) {
    if (seconds)
      campaign_.limitStage(campaign_.secondsUsed() + *seconds);
  }
  StageLimit(const StageLimit&) = delete;
  StageLimit& operator=(const StageLimit&) = delete;
  ~StageLimit() { campaign_.limitStage(std::nullopt); }

private:
  Campaign& campaign_;
};

/// Seconds that a command with these options may take; empty: no limit.
std::optional<double> timeBudget(const Options& options);

std::optional<StrategyKind> parseStrategy(const std::string& name);
std::optional<Isolation> parseIsolation(const std::string& name);

} // namespace heddle
