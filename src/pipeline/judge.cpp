#include "pipeline/judge.h"

#include "control/interrupt.h"
#include "describe/finding_builder.h"
#include "model/shell_words.h"
#include "pipeline/cause.h"
#include "pipeline/replay_target.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

constexpr size_t kMostCauses = 64;

/// Replays without the store: the schedule, and all that makes the program this one.
std::string replayCommand(const std::string& schedule, const Program& program) {
  std::string text = "heddle replay";
  for (const std::string& entry : program.environment)
    if (entry.starts_with(kStartsReadyVariable)) // nobody else would set it
      text += " --env=" + entry;
  text += " " + shellQuoted(schedule);
  for (const std::string& word : program.arguments)
    text += " " + shellQuoted(word);
  return text;
}

bool isSameRun(const FailingRun& one, const FailingRun& other) {
  const RunResult& a = one.record.result;
  const RunResult& b = other.record.result;
  return one.strategy == other.strategy && a.seed == b.seed && a.digest == b.digest &&
         one.schedule.decisions.size() == other.schedule.decisions.size();
}

} // namespace

Judge::Cause* Judge::causeFor(const FailingRun& failing) {
  std::string name = causeOf(failing);
  if (causes_.contains(name) || causes_.size() < kMostCauses) {
    Cause& cause = causes_[name];
    if (cause.first.index == 0 || failing.index < cause.first.index)
      cause.first = {failing.index, failing.strategy, failing.record.result.seed};
    return &cause;
  }
  context_.notes.addWarning("the program fails from more than " + std::to_string(kMostCauses) +
                            " causes: the others are not reported");
  return nullptr;
}

std::vector<Judge::Candidate> Judge::choose(const std::vector<FailingRun>& failures) {
  std::vector<Candidate> chosen;
  for (const FailingRun& failing : failures) {
    Cause* cause = causeFor(failing);
    if (!cause)
      continue;
    ++cause->runs;
    size_t length = failing.schedule.decisions.size();
    if (length >= cause->length)
      continue;
    cause->length = length;
    auto same = std::find_if(chosen.begin(), chosen.end(),
                             [&](const Candidate& other) { return other.cause == cause; });
    if (same != chosen.end())
      same->failing = &failing;
    else
      chosen.push_back({cause, &failing});
  }
  return chosen;
}

Status Judge::judge(const std::vector<FailingRun>& failures) {
  DeferInterrupts defer;
  for (const Candidate& candidate : choose(failures)) {
    // A shorter schedule is worth time that is there, but no overtime.
    if (candidate.cause->finding && context_.budget.mustEnd())
      continue;
    if (Status status = judgeOne(*candidate.cause, *candidate.failing); !status)
      return status;
  }
  return Success{};
}

Status Judge::confirm(const std::vector<FailingRun>& failures) {
  DeferInterrupts defer;
  std::map<Cause*, const FailingRun*> shortest;
  for (const FailingRun& failing : failures) {
    Cause* cause = causeFor(failing);
    if (!cause || cause->finding || cause->confirmed)
      continue;
    const FailingRun*& one = shortest[cause];
    if (!one || failing.schedule.decisions.size() < one->schedule.decisions.size())
      one = &failing;
  }
  for (auto [cause, failing] : shortest) {
    auto verdict = confirmation_.confirm(*failing);
    if (!verdict)
      return verdict.error();
    if (verdict->answer == Confirmation::Answer::Confirmed)
      cause->confirmed = ConfirmedRun{*failing, std::move(verdict->replayed), std::nullopt};
  }
  return Success{};
}

Result<std::optional<Judge::ConfirmedRun>> Judge::confirmedRun(Cause& cause,
                                                               const FailingRun& failing) {
  if (cause.confirmed && isSameRun(cause.confirmed->run, failing))
    return std::exchange(cause.confirmed, std::nullopt);
  auto verdict = confirmation_.confirm(failing);
  if (!verdict)
    return verdict.error();
  if (verdict->answer == Confirmation::Answer::Confirmed)
    return std::optional(ConfirmedRun{failing, std::move(verdict->replayed), std::nullopt});
  if (verdict->answer == Confirmation::Answer::Different)
    reject(failing, verdict->difference);
  else if (!cause.confirmed && !cause.finding)
    keep(cause, describeUnconfirmed(failing), failing);
  return std::exchange(cause.confirmed, std::nullopt);
}

Status Judge::judgeOne(Cause& cause, const FailingRun& failing) {
  auto confirmed = confirmedRun(cause, failing);
  if (!confirmed || !*confirmed)
    return confirmed ? Status(Success{}) : Status(confirmed.error());
  auto shown = minimize(std::move(**confirmed), Keeps::Failure);
  if (!shown)
    return shown.error();
  // Longer ones of this cause need not be judged any more.
  cause.length = std::min(cause.length, shown->run.schedule.decisions.size());
  keep(cause, describe(*shown), shown->run);
  return Success{};
}

Result<Judge::ConfirmedRun> Judge::minimize(ConfirmedRun confirmed, Keeps keeps) {
  auto budget = Minimizer::budgetOf(context_);
  if (!budget || confirmed.run.schedule.decisions.empty())
    return confirmed;
  context_.showProgress({"minimising", context_.tally.runs, 0, findings_.size()});
  auto minimized = minimizer_.minimize(confirmed.run, keeps, *budget);
  if (!minimized)
    return confirmed;
  auto verdict = confirmation_.confirm(minimized->run);
  if (!verdict)
    return verdict.error();
  if (verdict->answer != Confirmation::Answer::Confirmed)
    return confirmed;
  bool meets = keeps == Keeps::Failure || verdict->replayed.result.meetings != 0;
  if (!meets)
    return confirmed;
  return ConfirmedRun{std::move(minimized->run), std::move(verdict->replayed), minimized->before};
}

void Judge::reject(const FailingRun& failing, const std::string& difference) {
  bool failed = failing.record.failure != FailureKind::None;
  std::string what = failed ? "a run failed (" : "a run brought a race about (";
  if (failed)
    what += std::string(failureKindName(failing.record.failure)) +
            (failing.record.message.empty() ? "" : ": " + failing.record.message) + ", ";
  std::string text = what + "seed " + std::to_string(failing.record.result.seed) +
                     "), but it did not happen again in a fresh process: " + difference +
                     "; the program depends on something that heddle does not control";
  if (context_.options().isolation != isolationName(Isolation::Exec))
    text += " (--isolation=exec gives every run a process of its own, which may help)";
  if (lost_)
    context_.notes.addWarning(text);
  else
    lost_ = Error{text, ErrorKind::LostControl};
}

Finding Judge::describe(const ConfirmedRun& confirmed) {
  const auto& [failing, replayed, found] = confirmed;
  Finding finding = buildFinding(failing, replayed, nullptr, context_.notes.normalExitStatus());
  auto recorded = confirmation_.replayInDetail(failing.schedule, failing.sites, finding.id);
  if (recorded && recorded->record.result.outcome == replayed.result.outcome)
    finding = buildFinding(failing, replayed, &*recorded, context_.notes.normalExitStatus());
  else
    finding.notes.push_back("no interleaving: the run could not be recorded in detail");
  addSwitches(finding, confirmed);
  return finding;
}

Finding Judge::describeUnconfirmed(const FailingRun& failing) const {
  Finding finding =
      buildFinding(failing, failing.record, nullptr, context_.notes.normalExitStatus());
  finding.status = FindingStatus::Potential;
  finding.notes.push_back(kUnconfirmedNote);
  return finding;
}

void Judge::keep(Cause& cause, const Finding& finding, const FailingRun& failing) {
  if (context_.suppressions.suppress(finding))
    return;
  auto known = std::find_if(findings_.begin(), findings_.end(),
                            [&](const Finding& other) { return other.id == finding.id; });
  if (cause.finding) {
    replace(findings_[*cause.finding], finding, failing);
    return;
  }
  if (known != findings_.end()) {
    cause.finding = static_cast<size_t>(known - findings_.begin());
    return;
  }
  cause.finding = findings_.size();
  store(finding, failing);
}

void Judge::keep(const Finding& finding, const FailingRun& failing) {
  if (context_.suppressions.suppress(finding))
    return;
  auto known = std::find_if(findings_.begin(), findings_.end(),
                            [&](const Finding& other) { return other.id == finding.id; });
  if (known == findings_.end())
    store(finding, failing);
  else if (finding.status > known->status)
    replace(*known, finding, failing);
}

void Judge::keepUnconfirmed(Finding finding, const FailingRun& failing) {
  finding.status = FindingStatus::Potential;
  // To write down and store the schedule of a long run takes a moment, which adds up.
  bool affordable = finding.failure || !context_.budget.graceIsOver();
  finding.notes.push_back(affordable ? kUnconfirmedNote : kNotKeptNote);
  bool known = std::any_of(findings_.begin(), findings_.end(),
                           [&](const Finding& other) { return other.id == finding.id; });
  if (affordable)
    keep(finding, failing);
  else if (!known)
    addPotential(std::move(finding));
}

void Judge::addRelated(const std::string& id, RelatedPattern related) {
  for (Finding& finding : findings_) {
    bool known = finding.id == related.id ||
                 std::any_of(finding.related.begin(), finding.related.end(),
                             [&](const RelatedPattern& one) { return one.id == related.id; });
    if (finding.id != id || known)
      continue;
    finding.related.push_back(related);
    changed_.insert(id); // countRuns() stores it
  }
}

void Judge::tellFirstRun(Finding& finding, const FailingRun& failing) const {
  auto cause = causes_.find(causeOf(failing));
  if (!finding.failure || cause == causes_.end() || cause->second.first.index >= finding.run)
    return;
  finding.run = cause->second.first.index;
  finding.strategy = strategyName(cause->second.first.strategy);
  finding.seed = cause->second.first.seed;
}

void Judge::store(const Finding& finding, const FailingRun& failing) {
  if (std::any_of(findings_.begin(), findings_.end(),
                  [&](const Finding& other) { return other.id == finding.id; }))
    return;
  findings_.push_back(finding);
  tellFirstRun(findings_.back(), failing);
  addSchedule(findings_.back(), failing);
  if (!context_.store()) {
    // An id that is kept nowhere replays nothing; the schedule does.
    findings_.back().replay = replayCommand(findings_.back().schedule, context_.program());
    return;
  }
  findings_.back().replay = storedReplay(context_, finding.id);
  Status status =
      context_.store()->addFinding(findings_.back(), storedRun(context_, command_, failing));
  if (!status)
    context_.notes.addWarning("the finding " + finding.id +
                              " is not in the store: " + status.error().message);
}

void Judge::replace(Finding& known, const Finding& finding, const FailingRun& failing) {
  // The other places of a memory error are part of the id, and may differ.
  if (finding.id != known.id || finding.status < known.status)
    return;
  std::string replay = known.replay;
  known = finding;
  tellFirstRun(known, failing);
  addSchedule(known, failing);
  if (!context_.store()) {
    known.replay = replayCommand(known.schedule, context_.program());
    return;
  }
  known.replay = replay;
  StoredRun run = storedRun(context_, command_, failing);
  if (Status status = context_.store()->updateFinding(known, programOf(run), &run); !status)
    context_.notes.addWarning(status.error().message);
}

void Judge::countRuns() {
  for (auto& [name, cause] : causes_)
    if (cause.finding && cause.runs != 0) {
      findings_[*cause.finding].count += cause.runs;
      changed_.insert(findings_[*cause.finding].id);
    }
  for (Finding& finding : findings_) {
    if (finding.count > 1 && finding.kind != FindingKind::DataRace &&
        finding.kind != FindingKind::AtomicityViolation) // which has its orders
      finding.notes.push_back(std::to_string(finding.count) +
                              " runs failed from this cause; this is the one with the shortest "
                              "schedule");
    // What no run did is not stored, and what is stored already is not written again: the schedule
    // of a long run has megabytes.
    if (!context_.store() || finding.schedule.empty() || !changed_.contains(finding.id))
      continue;
    if (Status status = context_.store()->updateFinding(finding, context_.program().executable);
        !status)
      context_.notes.addWarning(status.error().message);
  }
}

void addSwitches(Finding& finding, const Judge::ConfirmedRun& confirmed) {
  const RunResult& result = confirmed.run.record.result;
  finding.switches = SwitchCounts{result.preemptions, result.switches};
  finding.foundSwitches = confirmed.found;
}

std::string storedReplay(const CommandContext& context, const std::string& id) {
  auto name = context.store()->nameOf(id, context.program().executable);
  return "heddle replay" + storeOption(context.options().store) + shellQuoted(name ? *name : id);
}

StoredRun storedRun(const CommandContext& context, const std::string& command,
                    const FailingRun& failing) {
  const Program& program = context.program();
  StoredRun run;
  run.command = command;
  run.argv = program.arguments;
  run.cwd = program.directory;
  for (const std::string& variable : program.environment) {
    size_t equals = variable.find('=');
    run.env.emplace_back(variable.substr(0, equals),
                         equals == std::string::npos ? "" : variable.substr(equals + 1));
  }
  run.input = program.input;
  run.modules.push_back({program.executable, program.buildId});
  for (const ProgramModule& module : context.notes.modules())
    if (module.path != program.executable)
      run.modules.push_back({module.path, module.buildId});
  run.heddleVersion = HEDDLE_VERSION;
  run.strategy = strategyName(failing.strategy);
  run.seed = failing.record.result.seed;
  run.pointsId = failing.schedule.pointsName;
  run.settings = {{"points", context.options().points},
                  {"input", program.hasInput ? "copy" : "none"},
                  {"max_steps", std::to_string(failing.schedule.maxSteps)},
                  {"time", context.options().time},
                  {"normal_exit", std::to_string(context.notes.normalExitStatus())}};
  return run;
}

} // namespace heddle
