#include "pipeline/judge.h"

#include "control/interrupt.h"
#include "pipeline/finding_builder.h"
#include "pipeline/race_finding.h"
#include "pipeline/sampling.h"

#include <algorithm>

namespace heddle {
namespace {

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string commandOf(const Program& program) {
  std::string text;
  for (const std::string& word : program.arguments)
    text += " " + quoted(word);
  return text;
}

} // namespace

Status Judge::judge(const FailingRun& failing) {
  DeferInterrupts defer;
  auto verdict = confirmation_.confirm(failing);
  if (!verdict)
    return verdict.error();
  if (!isConfirmed(failing, *verdict))
    return Unit{};
  Finding finding = buildFinding(failing, verdict->replayed, nullptr, campaign_.normalExitStatus());
  auto recorded =
      confirmation_.replayInDetail(failing.schedule, campaign_.points().sites, finding.id);
  bool usable = recorded && recorded->record.result.outcome == verdict->replayed.result.outcome;
  if (usable)
    finding = buildFinding(failing, verdict->replayed, &*recorded, campaign_.normalExitStatus());
  else
    finding.notes.push_back("no interleaving: the run could not be recorded in detail");
  keep(finding, failing);
  return Unit{};
}

/// What does not happen again is the reason for which control is lost, and no finding.
bool Judge::isConfirmed(const FailingRun& run, const Confirmation::Verdict& verdict) {
  if (verdict.confirmed)
    return true;
  bool failed = run.record.failure != FailureKind::None;
  std::string text = failed ? "a run failed (" + std::string(failureKindName(run.record.failure)) +
                                  (run.record.message.empty() ? "" : ": " + run.record.message)
                            : std::string("a run brought a race about (");
  text += (failed ? ", seed " : "seed ") + std::to_string(run.record.result.seed) +
          "), but it did not happen again in a fresh process: " + verdict.difference +
          "; the program depends on something that heddle does not control";
  if (campaign_.options().isolation != isolationName(Isolation::Exec))
    text += " (--isolation=exec gives every run a process of its own, which may help)";
  if (lost_)
    campaign_.addWarning(text);
  else
    lost_ = Error{text, 4};
  return false;
}

namespace {

/// The lines of a candidate's sides, as a user sees them.
std::set<std::string> linesOf(const Candidate& candidate, const SiteCatalog* sites) {
  std::set<std::string> lines;
  for (const CandidateSide& side : candidate.sides) {
    SiteIdentity shown = side.caller == SiteIdentity::None ? side.site : side.caller;
    const SiteEntry* entry = sites ? sites->find(shown) : nullptr;
    lines.insert(entry && entry->line != 0 ? entry->file + ":" + std::to_string(entry->line)
                                           : std::to_string(raw(shown)));
  }
  return lines;
}

const SiteCatalog* catalogOf(const ForcedCandidate& forced) {
  if (forced.meeting)
    return forced.meeting->record.sites.get();
  for (const auto& [key, failure] : forced.failures)
    if (failure.run.record.sites)
      return failure.run.record.sites.get();
  return nullptr;
}

} // namespace

Status Judge::judge(Forcing& forcing) {
  DeferInterrupts defer;
  std::map<std::set<std::string>, std::vector<const ForcedCandidate*>> groups;
  std::vector<std::set<std::string>> order; // of rank
  for (const ForcedCandidate& forced : forcing.forced()) {
    if (forced.met == 0 && forced.failures.empty())
      continue;
    auto lines = linesOf(forced.candidate, catalogOf(forced));
    auto& group = groups[lines];
    if (group.empty())
      order.push_back(lines);
    group.push_back(&forced);
  }
  std::vector<const ForcedFailure*> unexplained;
  for (const auto& lines : order)
    if (Status status = judgeGroup(groups[lines], forcing, unexplained); !status)
      return status;
  for (const ForcedFailure* failure : unexplained)
    if (Status status = judgeUnexplained(failure->run); !status)
      return status;
  return Unit{};
}

Status Judge::judgeUnexplained(const FailingRun& failing) {
  return explained_.contains(failureKey(failing.record)) ? Status(Unit{}) : judge(failing);
}

Status Judge::judgeGroup(const std::vector<const ForcedCandidate*>& group, Forcing& forcing,
                         std::vector<const ForcedFailure*>& unexplained) {
  std::optional<RaceCase> best;
  size_t pairs = 0;
  for (const ForcedCandidate* forced : group) {
    bool race = forced->candidate.kind == TargetKind::Race && forced->met != 0;
    pairs += race;
    bool better =
        !best || (!best->harmful && (!forced->failures.empty() || forced->met > best->forced->met));
    std::optional<RaceCase> judged;
    if (race && better) {
      auto harm = judgeHarm(*forced, forcing);
      if (!harm)
        return harm.error();
      judged = std::move(*harm);
      if (!best || judged->harmful || forced->met > best->forced->met)
        best = judged;
    }
    if (judged && judged->harmful)
      explained_.insert(failureKey(judged->run.record));
    for (const auto& [key, failure] : forced->failures)
      unexplained.push_back(&failure);
  }
  return best ? judgeRace(*best, pairs) : Status(Unit{});
}

Status Judge::judgeRace(const RaceCase& race, size_t pairs) {
  auto verdict = confirmation_.confirm(race.run);
  if (!verdict)
    return verdict.error();
  if (verdict->confirmed && verdict->replayed.result.meetings == 0) {
    verdict->confirmed = false;
    verdict->difference = "the accesses did not meet";
  }
  if (!isConfirmed(race.run, *verdict))
    return Unit{};
  Finding finding =
      buildRaceFinding(race, verdict->replayed, nullptr, campaign_.normalExitStatus());
  auto recorded =
      confirmation_.replayInDetail(race.run.schedule, campaign_.points().sites, finding.id);
  if (recorded && recorded->record.meeting)
    finding = buildRaceFinding(race, verdict->replayed, &*recorded, campaign_.normalExitStatus());
  else
    finding.notes.push_back("no interleaving: the run could not be recorded in detail");
  if (pairs > 1)
    finding.notes.push_back(std::to_string(pairs) + " pairs of accesses at these lines race");
  keep(finding, race.run);
  return Unit{};
}

void Judge::keep(const Finding& finding, const FailingRun& failing) {
  bool known = std::any_of(findings_.begin(), findings_.end(),
                           [&](const Finding& other) { return other.id == finding.id; });
  if (known)
    return;
  findings_.push_back(finding);
  if (!campaign_.store()) {
    // An id that is kept nowhere replays nothing; the schedule does.
    findings_.back().replay =
        "heddle replay " + quoted(finding.schedule) + commandOf(campaign_.program());
    return;
  }
  Status status = campaign_.store()->addFinding(finding, storedRun(campaign_, command_, failing));
  if (!status)
    campaign_.addWarning("the finding " + finding.id +
                         " is not in the store: " + status.error().message);
}

StoredRun storedRun(const Campaign& campaign, const std::string& command,
                    const FailingRun& failing) {
  const Program& program = campaign.program();
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
  for (const ProgramModule& module : campaign.modules())
    if (module.path != program.executable)
      run.modules.push_back({module.path, module.buildId});
  run.heddleVersion = HEDDLE_VERSION;
  run.strategy = strategyName(failing.strategy);
  run.seed = failing.record.result.seed;
  run.pointsId = campaign.points().name;
  run.settings = {{"points", campaign.options().points},
                  {"input", program.hasInput ? "copy" : "none"},
                  {"max_steps", std::to_string(failing.schedule.maxSteps)},
                  {"time", campaign.options().time},
                  {"normal_exit", std::to_string(campaign.normalExitStatus())}};
  return run;
}

} // namespace heddle
