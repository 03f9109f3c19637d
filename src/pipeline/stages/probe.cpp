#include "pipeline/stages/probe.h"

#include "pipeline/stages/explored_run.h"

namespace heddle {
namespace {

/// Events of a recording of all accesses, above which it takes too long.
constexpr uint64_t kMostEvents = 100'000;

} // namespace

bool Probe::wantsShortTurn() const {
  return ending_.empty() && search_.learning.mostEvents() <= kMostEvents;
}

explore::ExplorationOptions Probe::options() {
  CommandContext& context = search_.context;
  explore::ExplorationOptions options;
  options.search.usePriorities = true;
  options.search.onlyProbes = true;
  options.search.memory = context.options().memory << 20;
  options.endsAtFailure = search_.stopsAtFailure();
  options.sites = context.plans.points().sites;
  options.onRun = [this, &context](const RunResult& run) {
    bool failed = run.outcome == Outcome::Failed || context.notes.isBadExit(run);
    context.count(run, failed);
    numbers_.push_back(context.tally.runs);
  };
  options.mustStop = [&context](uint64_t, const explore::SearchCounters&) {
    return context.budget.mustEnd();
  };
  return options;
}

Status Probe::start() {
  CommandContext& context = search_.context;
  auto session = Session::create(context.sharedProgram(), context.sessions.options());
  if (!session)
    return session.error();
  session_.emplace(std::move(*session));
  explorer_.emplace(*session_, planToExplore(context), options());
  return Success{};
}

Turn Probe::advanceShortly() {
  Turn turn;
  if (Status status = explorer_ ? Status(Success{}) : start(); !status) {
    turn.error = status.error();
    return turn;
  }
  Status status = explorer_->proceed(search_.context.budget.runsLeft().value_or(1),
                                     planToExplore(search_.context).plan.wallNanos);
  search_.context.notes.noteModules(*session_);
  uint64_t probes = explorer_->report().counters.probes;
  turn.fresh = probes - probes_;
  probes_ = probes;
  // Who cannot record everything may still sample.
  if (!status)
    ending_ = status.error().message;
  else if (explorer_->hasEnded())
    ending_ = "no other order of two accesses is left";
  if (Status taken = takeFailures(turn); !taken)
    turn.error = taken.error();
  return turn;
}

Status Probe::takeFailures(Turn& turn) {
  const explore::ExplorationReport& report = explorer_->report();
  for (; taken_ < report.failures.size(); ++taken_) {
    const explore::FoundFailure& failure = report.failures[taken_];
    auto run = repeatExplored(search_.context, report, failure);
    if (!run)
      return run.error();
    if (!*run)
      continue; // only with the points of a search; what is real others will find, too
    (*run)->index = numbers_[failure.firstRun - 1];
    keepPoints(search_.context, **run);
    search_.failures.push_back(std::move(**run));
    turn.judge = true;
  }
  if (search_.stopsAtFailure() && taken_ != 0 && ending_.empty())
    ending_ = "one of them failed";
  return Success{};
}

void Probe::summarize(Report& report) {
  if (!explorer_)
    return;
  report.summary.push_back("orders of two accesses: " + std::to_string(probes_) + " probed" +
                           (ending_.empty() ? std::string() : "; " + ending_));
}

} // namespace heddle
