#include "pipeline/commands/explore.h"

#include "control/interrupt.h"
#include "explore/program_explorer.h"
#include "pipeline/commands/explore_text.h"
#include "pipeline/commands/known_findings.h"
#include "pipeline/commands/run_summary.h"
#include "pipeline/judging/judge.h"
#include "pipeline/stages/explored_run.h"
#include "pipeline/stages/first_run.h"

#include <fmt/format.h>

namespace heddle {
namespace {

using explore::Equivalence;
using explore::ExplorationReport;
using explore::FoundFailure;

const char* equivalenceName(Equivalence equivalence) {
  return equivalence == Equivalence::ReadsFrom ? "reads-from" : "value-schedules";
}

const char* classesName(Equivalence equivalence) {
  return equivalence == Equivalence::ReadsFrom ? "reads-from classes" : "value schedules";
}

class Exploring {
public:
  Exploring(CommandContext& context, const ExploreOptions& options)
      : context_(context), options_(options), judge_(context, "explore") {}

  Result<CommandResult> execute() {
    if (Status status = context_.loadSuppressions(); !status)
      return status.error();
    auto failing = firstRun(context_, nullptr, /*needsThreads=*/true);
    if (!failing)
      return failing.error();
    auto session = Session::create(context_.sharedProgram(), context_.sessions.options());
    if (!session)
      return session.error();
    explore::ProgramExplorer explorer(*session, planToExplore(context_), explorationOptions());
    auto explored = explorer.explore();
    context_.notes.noteModules(*session);
    context_.notes.noteDoings(*session);
    if (!explored)
      return explored.error();
    report_ = std::move(*explored);
    session->end();
    if (Status status = judgeFailures(); !status)
      return status.error();
    return finish();
  }

private:
  explore::ExplorationOptions explorationOptions() {
    explore::ExplorationOptions exploration;
    exploration.search.equivalence = options_.equivalence;
    exploration.search.memory = context_.options().memory << 20;
    exploration.runs = context_.options().runs;
    exploration.endsAtFailure =
        !options_.find.empty() || (!options_.exhaustive && !context_.options().keep_going);
    exploration.search.usePriorities = exploration.endsAtFailure || !options_.focus.empty();
    exploration.jobs = context_.sessions.jobs();
    exploration.sessions = [this] {
      return Session::create(context_.sharedProgram(), context_.sessions.options());
    };
    addWishes(exploration);
    addFile(exploration);
    exploration.mustStop = [this](uint64_t runs, const explore::SearchCounters&) {
      context_.showProgress({"exploration", runs, 0, 0});
      return context_.budget.mustEnd();
    };
    return exploration;
  }

  void addWishes(explore::ExplorationOptions& exploration) const {
    if (auto place = parseSourcePlace(options_.focus))
      exploration.isFocus = [place = *place](const SiteEntry& site) {
        return place.isThatOf(site);
      };
    if (options_.find.empty())
      return;
    exploration.isWanted = [find = options_.find, place = parseSourcePlace(options_.find)](
                               const FoundFailure& failure, const SiteCatalog& sites) {
      const SiteEntry* site = sites.find(failure.site);
      return failureKindName(failure.kind) == find || (place && site && place->isThatOf(*site));
    };
  }

  /// One file for each program, its arguments and the equivalence.
  void addFile(explore::ExplorationOptions& exploration) const {
    if (context_.store() == nullptr)
      return;
    std::string name = buildName(context_.program());
    for (const std::string& argument : context_.program().arguments)
      name += '\n' + argument;
    exploration.key =
        mix(std::hash<std::string>{}(name), static_cast<uint64_t>(options_.equivalence));
    exploration.file =
        fmt::format("{}/exploration-{:016x}", context_.store()->directory(), exploration.key);
    exploration.resumes = options_.resume;
  }

  Status judgeFailures() {
    std::vector<CapturedRun> runs;
    for (const FoundFailure& failure : report_.failures) {
      auto run = repeatExplored(context_, report_, failure);
      if (!run)
        return run.error();
      if (*run)
        runs.push_back(std::move(**run));
      else
        unrepeated_ = fmt::format("run {} of the exploration failed ({}), and a run with the same "
                                  "steps did not",
                                  failure.firstRun, failureKindName(failure.kind));
    }
    return judge_.judge(runs);
  }

  /// Why not all classes were explored, or what they do not cover.
  std::vector<std::string> caveats() const {
    std::vector<std::string> texts(report_.caveats.begin(), report_.caveats.end());
    for (const std::string& module : context_.notes.notSeen())
      texts.push_back("code that is not seen: " + module);
    if (!report_.isFinished)
      texts.emplace_back(interrupted() ? "it was interrupted" : whyNotFinished());
    return texts;
  }

  std::string whyNotFinished() const {
    if (!report_.failures.empty() && !options_.exhaustive)
      return "it ended with the first failure (--keep-going goes on)";
    if (context_.options().runs != 0 && report_.runs >= context_.options().runs)
      return "the runs were used up (--runs)";
    if (context_.budget.mustEnd())
      return "time limit reached (--seconds)";
    return "the search outgrew its memory (--memory)";
  }

  std::string verdictText(const std::vector<std::string>& reasons) const {
    const auto& counters = report_.counters;
    const char* name = classesName(options_.equivalence);
    std::string runs = fmt::format("{} runs, {} abandoned, {} ended in a deadlock", report_.runs,
                                   counters.abandoned, counters.blocked);
    if (!reasons.empty()) {
      std::string text = fmt::format("not exhaustive, because {}", reasons[0]);
      for (size_t i = 1; i < reasons.size(); ++i)
        text += "; " + reasons[i];
      return text + fmt::format(". Explored: {} {} ({})", counters.complete, name, runs);
    }
    std::string failed = report_.failures.empty() ? "no failure" : failedText();
    return fmt::format("all {} {} explored, {} ({})", counters.complete, name, failed, runs);
  }

  std::string failedText() const {
    uint64_t classes = 0;
    for (const FoundFailure& failure : report_.failures)
      classes += failure.classes;
    return fmt::format("{} of them fail", classes);
  }

  void addVerdict(Report& report, const std::vector<std::string>& reasons) const {
    const auto& counters = report_.counters;
    uint64_t failing = 0;
    for (const FoundFailure& failure : report_.failures)
      failing += failure.classes;
    ExploreSummary verdict{equivalenceName(options_.equivalence),
                           report_.runs,
                           counters.complete,
                           failing,
                           counters.abandoned,
                           counters.blocked,
                           counters.duplicates,
                           report_.reopened,
                           reasons,
                           counters.probes,
                           report_.wasResumed,
                           {}};
    for (const FoundFailure& failure : report_.failures) {
      if (!report_.catalog)
        break;
      verdict.failures.push_back(describeFailure(failure, *report_.catalog));
      auto lines = failureAsText(verdict.failures.back());
      report.summary.insert(report.summary.end(), lines.begin(), lines.end());
    }
    report.facts = std::move(verdict);
    report.summary.push_back(verdictText(reasons));
  }

  CommandResult finish() {
    CommandResult result;
    auto reasons = caveats();
    Report& report = result.report;
    report.command = "explore";
    report.program = context_.program().arguments;
    report.seconds = context_.budget.secondsUsed();
    report.interrupted = interrupted();
    judge_.countRuns();
    report.findings = judge_.findings().all();
    tellKnownIssues(report, context_.options());
    report.warnings = context_.notes.warnings();
    report.notSeen = context_.notes.notSeen();
    report.runs = report_.runs + context_.tally.runs;
    report.judgingRuns = context_.tally.judging;
    addVerdict(report, reasons);
    result.lost = judge_.lost();
    if (!result.lost && !unrepeated_.empty())
      result.lost = Error{unrepeated_, ErrorKind::LostControl};
    if (!result.lost && options_.exhaustive && !reasons.empty())
      result.lost =
          Error{"not all classes of runs were explored: " + reasons[0], ErrorKind::LostControl};
    if (result.lost)
      report.lost = result.lost->message;
    return result;
  }

  CommandContext& context_;
  ExploreOptions options_;
  Judge judge_;
  ExplorationReport report_;
  std::string unrepeated_;
};

} // namespace

Result<CommandResult> exploreAll(CommandContext& context, const ExploreOptions& options) {
  context.budget.limitTime();
  return Exploring(context, options).execute();
}

} // namespace heddle
