#include "pipeline/judging/minimizer.h"

#include "control/interrupt.h"
#include "describe/finding_builder.h"
#include "pipeline/runs/cause.h"

#include <algorithm>
#include <tuple>

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

/// A part of a schedule may let the program go on for ever: how much longer than the found run a
/// trial may be. Threads that spin are patient in it.
constexpr uint64_t kStepsFactor = 8;
constexpr uint64_t kMoreSteps = 5000;
/// With less than this left, a check ends with what it has.
constexpr double kLeastSeconds = 0.1;
constexpr double kShareOfTheRest = 0.2;

/// What a run has to have in common with another one to stand for it in a report.
struct Essence {
  Outcome outcome;
  std::string cause; ///< empty: it did not fail
  std::string id;    ///< of the finding
  uint32_t orders = 0;
  uint32_t sides = 0; ///< of the meeting: of a pattern they are fewer when the failure came first
  std::vector<uint32_t> threads; ///< of the meeting, by role

  /// A race that failed when its sides went on in one order has to fail in this order.
  bool isShownBy(const Essence& other) const {
    return std::tie(outcome, cause, id, threads) ==
               std::tie(other.outcome, other.cause, other.id, other.threads) &&
           (other.orders & ~orders) == 0 && other.sides >= sides;
  }
};

Essence essenceOf(const CapturedRun& run, Keeps keeps) {
  Essence essence;
  essence.outcome = run.record.result.outcome;
  if (run.record.failure != FailureKind::None) {
    essence.cause = causeOf(run);
    essence.id = buildFinding(run, run.record, nullptr, 0).id;
  }
  if (keeps == Keeps::Failure)
    return essence;
  // Which order fails is part of what is said of a race that fails.
  essence.orders = essence.cause.empty() ? 0 : run.record.result.orders;
  essence.sides = run.record.meeting ? run.record.meeting->sideCount : 0;
  if (keeps == Keeps::SameThreads && run.record.meeting) {
    const Meeting& meeting = *run.record.meeting;
    essence.threads.resize(kMaxRoles);
    for (uint32_t i = 0; i < std::min<uint32_t>(meeting.sideCount, kMaxRoles); ++i)
      essence.threads[meeting.sides[i].role % kMaxRoles] = meeting.sides[i].thread + 1;
  }
  return essence;
}

SwitchCounts countsOf(const RunResult& result) { return {result.preemptions, result.switches}; }

/// Trials of one finding in a session. The cheapest run is kept with its details.
class ProgramTrials final : public Trials {
public:
  ProgramTrials(CommandContext& context, Session& session, const CapturedRun& found, Keeps keeps,
                const MinimizeBudget& budget)
      : context_(context), session_(session), found_(found), keeps_(keeps), budget_(budget),
        essence_(essenceOf(found, keeps)) {}

  std::optional<ReducedRun> run(const std::vector<Decision>& decisions) override {
    ++runs_;
    auto report = session_.execute(planFor(decisions));
    failed_ |= !report;
    if (!report || !report->last)
      return std::nullopt;
    CapturedRun run = captureLike(found_, std::move(*report->last));
    if (!context_.notes.judgeEnd(run.record))
      run.record.failure = FailureKind::None;
    if (!shows(run))
      return std::nullopt;
    return take(std::move(run));
  }

  bool spent() const override {
    return failed_ || runs_ >= budget_.runs || secondsUsed() >= budget_.seconds ||
           interruptRequested();
  }

  uint64_t runs() const { return runs_; }
  const CapturedRun& best() const { return best_; }
  CapturedRun takeBest() { return std::move(best_); }

private:
  double secondsUsed() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  PlanRequest planFor(const std::vector<Decision>& decisions) const {
    Schedule schedule = found_.schedule;
    schedule.decisions = decisions;
    std::sort(schedule.decisions.begin(), schedule.decisions.end(), isFiledBefore);
    PlanRequest request = context_.plans.replayPlan(schedule, found_.sites);
    request.plan.flags |= kPlanTolerant | (keeps_ == Keeps::Failure ? 0u : kPlanStopAtMeeting);
    double left = std::max(0.0, budget_.seconds - secondsUsed());
    request.plan.wallNanos = static_cast<uint64_t>(std::max(1.0, left * 1e9));
    if (!usesAllSteps())
      limitSteps(request.plan);
    return request;
  }

  void limitSteps(Plan& plan) const {
    uint64_t most = kStepsFactor * found_.record.result.steps + kMoreSteps;
    plan.maxSteps = plan.maxSteps == 0 ? most : std::min(plan.maxSteps, most);
  }

  /// Only the end of all steps shows it.
  bool usesAllSteps() const {
    return found_.record.failure == FailureKind::Hang ||
           found_.record.result.outcome == Outcome::Cut;
  }

  bool shows(const CapturedRun& run) const {
    bool meets = keeps_ == Keeps::Failure || run.record.result.meetings != 0;
    return meets && essence_.isShownBy(essenceOf(run, keeps_));
  }

  ReducedRun take(CapturedRun run) {
    const RunResult& result = run.record.result;
    ReducedRun reduced{run.record.decisions,
                       {result.preemptions, result.switches, run.record.decisions.size()}};
    if (cheapest_ && reduced.cost >= *cheapest_)
      return reduced;
    cheapest_ = reduced.cost;
    best_ = std::move(run);
    return reduced;
  }

  CommandContext& context_;
  Session& session_;
  const CapturedRun& found_;
  Keeps keeps_;
  MinimizeBudget budget_;
  Essence essence_;
  Clock::time_point start_ = Clock::now();
  uint64_t runs_ = 0;
  bool failed_ = false; ///< the program cannot be run any more
  std::optional<ScheduleCost> cheapest_;
  CapturedRun best_;
};

} // namespace

Result<Session*> Minimizer::session() {
  if (session_)
    return &*session_;
  auto created = Session::create(context_.sharedProgram(), context_.sessions.options());
  if (!created)
    return created.error();
  session_.emplace(std::move(*created));
  return &*session_;
}

std::optional<MinimizeBudget> Minimizer::budgetOf(const CommandContext& context) {
  if (!context.options().minimize || interruptRequested())
    return std::nullopt;
  MinimizeBudget budget = kCheckBudget;
  if (auto left = context.budget.secondsLeft()) {
    // Long runs need longer; what a failure ends has nothing else to do with the time.
    if (!context.options().keep_going)
      budget.seconds = std::max(budget.seconds, *left * kShareOfTheRest);
    // The other half is for what comes after it: confirmation and the interleaving.
    budget.seconds = std::min(budget.seconds, *left / 2);
  }
  if (budget.seconds < kLeastSeconds)
    return std::nullopt;
  return budget;
}

std::optional<Minimizer::Minimized> Minimizer::minimize(const CapturedRun& failing, Keeps keeps,
                                                        const MinimizeBudget& budget) {
  auto session = this->session();
  if (!session)
    return std::nullopt;
  ProgramTrials trials(context_, **session, failing, keeps, budget);
  Reduction reduction(trials, budget.reach);
  auto reduced = reduction.reduce(failing.schedule.decisions);
  context_.tally.minimizing += trials.runs();
  context_.tally.judging += trials.runs();
  if (!reduced)
    return std::nullopt;
  Minimized minimized;
  minimized.run = trials.takeBest();
  minimized.before = countsOf(failing.record.result);
  minimized.after = countsOf(minimized.run.record.result);
  minimized.runs = trials.runs();
  minimized.finished = !trials.spent();
  return minimized;
}

} // namespace heddle
