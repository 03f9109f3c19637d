#include "pipeline/judge.h"

#include "control/interrupt.h"
#include "model/shell_words.h"
#include "pipeline/finding_builder.h"

#include <algorithm>

namespace heddle {
namespace {

std::string commandOf(const Program& program) {
  std::string text;
  for (const std::string& word : program.arguments)
    text += " " + shellQuoted(word);
  return text;
}

} // namespace

Status Judge::judge(const FailingRun& failing) {
  DeferInterrupts defer;
  auto verdict = confirmation_.confirm(failing);
  if (!verdict)
    return verdict.error();
  if (!verdict->confirmed) {
    std::string text = "a run failed (" + std::string(failureKindName(failing.record.failure)) +
                       (failing.record.message.empty() ? "" : ": " + failing.record.message) +
                       ", seed " + std::to_string(failing.record.result.seed) +
                       "), but it did not happen again in a fresh process: " + verdict->difference +
                       "; the program depends on something that heddle does not control";
    if (campaign_.options().isolation != isolationName(Isolation::Exec))
      text += " (--isolation=exec gives every run a process of its own, which may help)";
    if (lost_)
      campaign_.addWarning(text);
    else
      lost_ = Error{text, 4};
    return Unit{};
  }
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

void Judge::keep(const Finding& finding, const FailingRun& failing) {
  bool known = std::any_of(findings_.begin(), findings_.end(),
                           [&](const Finding& other) { return other.id == finding.id; });
  if (known)
    return;
  findings_.push_back(finding);
  if (!campaign_.store()) {
    // An id that is kept nowhere replays nothing; the schedule does.
    findings_.back().replay =
        "heddle replay " + shellQuoted(finding.schedule) + commandOf(campaign_.program());
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
