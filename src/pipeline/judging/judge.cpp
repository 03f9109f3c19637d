#include "pipeline/judging/judge.h"

#include "control/interrupt.h"
#include "pipeline/runs/cause.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

constexpr size_t kMaxCauses = 64;

bool isSameRun(const CapturedRun& one, const CapturedRun& other) {
  const RunResult& a = one.record.result;
  const RunResult& b = other.record.result;
  return one.strategy == other.strategy && a.seed == b.seed && a.digest == b.digest &&
         one.schedule.decisions.size() == other.schedule.decisions.size();
}

/// Whether a replay shows what a run has to show beside its failure.
bool shows(const RunRecord& replayed, Keeps keeps) {
  return keeps == Keeps::Failure || replayed.result.meetings != 0;
}

} // namespace

Judge::Cause* Judge::causeFor(const CapturedRun& failing) {
  std::string name = causeOf(failing);
  if (causes_.contains(name) || causes_.size() < kMaxCauses) {
    Cause& cause = causes_[name];
    if (cause.first.index == 0 || failing.index < cause.first.index)
      cause.first = {failing.index, failing.strategy, failing.record.result.seed};
    return &cause;
  }
  context_.notes.addWarning("the program fails from more than " + std::to_string(kMaxCauses) +
                            " causes: the others are not reported");
  return nullptr;
}

std::vector<Judge::Chosen> Judge::choose(const std::vector<CapturedRun>& failures) {
  std::vector<Chosen> chosen;
  for (const CapturedRun& failing : failures) {
    Cause* cause = causeFor(failing);
    if (!cause)
      continue;
    ++cause->runs;
    size_t length = failing.schedule.decisions.size();
    if (length >= cause->length)
      continue;
    cause->length = length;
    auto same = std::find_if(chosen.begin(), chosen.end(),
                             [&](const Chosen& other) { return other.cause == cause; });
    if (same != chosen.end())
      same->run = &failing;
    else
      chosen.push_back({cause, &failing});
  }
  return chosen;
}

Status Judge::judge(const std::vector<CapturedRun>& failures) {
  DeferInterrupts defer;
  for (const Chosen& chosen : choose(failures)) {
    // A shorter schedule is worth time that is there, but no overtime.
    if (chosen.cause->finding && context_.budget.mustEnd())
      continue;
    if (Status status = judgeOne(*chosen.cause, *chosen.run); !status)
      return status;
  }
  return Success{};
}

Status Judge::confirm(const std::vector<CapturedRun>& failures) {
  DeferInterrupts defer;
  std::map<Cause*, const CapturedRun*> shortest;
  for (const CapturedRun& failing : failures) {
    Cause* cause = causeFor(failing);
    if (!cause || cause->finding || cause->confirmed)
      continue;
    const CapturedRun*& one = shortest[cause];
    if (!one || failing.schedule.decisions.size() < one->schedule.decisions.size())
      one = &failing;
  }
  for (auto [cause, failing] : shortest) {
    auto verdict = confirmation_.confirm(*failing);
    if (!verdict)
      return verdict.error();
    if (verdict->answer == Verdict::Answer::Confirmed)
      cause->confirmed = std::move(*verdict);
  }
  return Success{};
}

Result<std::optional<Verdict>> Judge::confirm(const Case& item,
                                              const std::function<void()>& notEnded) {
  auto verdict = confirmation_.confirm(item.run());
  if (!verdict)
    return verdict.error();
  if (verdict->answer == Verdict::Answer::NotEnded) {
    notEnded();
    return std::optional<Verdict>();
  }
  bool shown = shows(verdict->replayed, item.keeps());
  if (verdict->answer == Verdict::Answer::Different || !shown) {
    reject(item.run(), shown ? verdict->difference : item.notShown());
    return std::optional<Verdict>();
  }
  return std::optional(std::move(*verdict));
}

Result<std::optional<Verdict>> Judge::verdictOn(Cause& cause, const FailureCase& item) {
  if (cause.confirmed && isSameRun(cause.confirmed->run, item.run()))
    return std::exchange(cause.confirmed, std::nullopt);
  auto verdict = confirm(item, [&] {
    if (cause.confirmed || cause.finding)
      return;
    Finding finding = item.describe(item.run(), item.run().record, nullptr);
    finding.status = FindingStatus::Potential;
    finding.notes.push_back(kUnconfirmedNote);
    tellFirstFailure(finding, item.run());
    cause.finding = findings_.keepShortest(cause.finding, finding, item.run());
  });
  if (!verdict || *verdict)
    return verdict;
  return std::exchange(cause.confirmed, std::nullopt);
}

Status Judge::judgeOne(Cause& cause, const CapturedRun& failing) {
  FailureCase item(failing, context_.notes.normalExitStatus());
  auto verdict = verdictOn(cause, item);
  if (!verdict || !*verdict)
    return verdict ? Status(Success{}) : Status(verdict.error());
  auto finding = describe(item, **verdict);
  if (!finding)
    return finding.error();
  // Longer ones of this cause need not be judged any more.
  const CapturedRun& shown = (*verdict)->run;
  cause.length = std::min(cause.length, shown.schedule.decisions.size());
  cause.finding = findings_.keepShortest(cause.finding, *finding, shown);
  return Success{};
}

Status Judge::minimize(Verdict& verdict, Keeps keeps) {
  auto budget = Minimizer::budgetOf(context_);
  if (!budget || verdict.run.schedule.decisions.empty())
    return Success{};
  context_.showProgress({"minimising", context_.tally.runs, 0, findings_.all().size()});
  auto minimized = minimizer_.minimize(verdict.run, keeps, *budget);
  if (!minimized)
    return Success{};
  auto shorter = confirmation_.confirm(minimized->run);
  if (!shorter)
    return shorter.error();
  if (shorter->answer != Verdict::Answer::Confirmed || !shows(shorter->replayed, keeps))
    return Success{};
  verdict = std::move(*shorter);
  verdict.found = minimized->before;
  return Success{};
}

Result<Finding> Judge::describe(const Case& item, Verdict& verdict) {
  if (Status status = minimize(verdict, item.keeps()); !status)
    return status.error();
  const CapturedRun& run = verdict.run;
  Finding finding = item.describe(run, verdict.replayed, nullptr);
  auto recorded = confirmation_.replayInDetail(run.schedule, run.sites, finding.id);
  if (recorded && item.isShownBy(recorded->record, verdict.replayed))
    finding = item.describe(run, verdict.replayed, &*recorded);
  else
    finding.notes.push_back("no interleaving: the run could not be recorded in detail");
  finding.switches = SwitchCounts{run.record.result.preemptions, run.record.result.switches};
  finding.foundSwitches = verdict.found;
  tellFirstFailure(finding, run);
  return finding;
}

void Judge::tellFirstFailure(Finding& finding, const CapturedRun& run) const {
  if (!finding.failure)
    return;
  auto cause = causes_.find(causeOf(run));
  if (cause == causes_.end() || cause->second.first.index >= finding.run)
    return;
  finding.run = cause->second.first.index;
  finding.strategy = strategyName(cause->second.first.strategy);
  finding.seed = cause->second.first.seed;
}

void Judge::keepUnconfirmed(const Case& item) {
  Finding finding = item.describe(item.run(), item.run().record, nullptr);
  tellFirstFailure(finding, item.run());
  findings_.keepUnconfirmed(std::move(finding), item.run());
}

void Judge::reject(const CapturedRun& failing, const std::string& difference) {
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

void Judge::countRuns(bool merges) {
  for (const auto& [name, cause] : causes_)
    if (cause.finding)
      findings_.addCount(*cause.finding, cause.runs);
  if (merges)
    findings_.mergeSameBugs();
  findings_.finish();
}

} // namespace heddle
