#include "pipeline/googletest/test_suite.h"

#include "control/interrupt.h"
#include "pipeline/googletest/google_test.h"
#include "pipeline/googletest/test_listing.h"
#include "pipeline/googletest/test_table.h"
#include "pipeline/stages/first_run.h"

#include <algorithm>
#include <map>

namespace heddle {
namespace {

/// What the first run of a test, without preemption, showed.
struct Trial {
  Program program;       ///< with the arguments that fit the test
  bool explores = false; ///< there is something to look for
  TestOutcome outcome;   ///< when not
};

/// A command on all tests of a program, one after the other.
class Suite {
public:
  Suite(const CommandSetup& setup, ProgramCommand command) : setup_(setup), command_(command) {
    result_.report.command = setup.name;
    result_.report.program = setup.program->arguments;
  }

  Result<CommandResult> execute(const std::vector<ListedTest>& tests) {
    for (const ListedTest& test : tests)
      outcomes_.push_back({test.name, test.skipped.empty() ? TestEnd::NotRun : TestEnd::Skipped,
                           test.skipped.empty() ? "time limit reached" : test.skipped});
    auto trials = tryAll();
    if (!trials)
      return trials.error();
    size_t left = trials->size();
    for (const auto& [index, program] : *trials) {
      if (mustEnd())
        break;
      if (Status status = explore(outcomes_[index], program, left--); !status)
        return status.error();
    }
    return finish();
  }

private:
  using Chosen = std::vector<std::pair<size_t, std::shared_ptr<const Program>>>; ///< by outcome

  double secondsUsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  std::optional<double> secondsLeft() const {
    auto budget = timeBudget(setup_.options);
    return budget ? std::optional(*budget - secondsUsed()) : std::nullopt;
  }
  bool mustEnd() const { return interrupted() || secondsLeft().value_or(1) <= 0; }

  /// Runs every test once: those without a second thread need no more.
  Result<Chosen> tryAll() {
    Chosen chosen;
    for (size_t i = 0; i < outcomes_.size() && !mustEnd(); ++i) {
      if (outcomes_[i].end == TestEnd::Skipped)
        continue;
      show({outcomes_[i].test + ": run without preemption", result_.report.runs, 0,
            result_.report.findings.size()});
      auto trial = tryTest(outcomes_[i].test);
      if (!trial)
        return trial.error();
      if (trial->explores)
        chosen.emplace_back(i, std::make_shared<const Program>(std::move(trial->program)));
      else
        outcomes_[i] = std::move(trial->outcome);
    }
    return chosen;
  }

  Result<Trial> tryTest(const std::string& test) {
    Trial trial;
    trial.program = programOfTest(*setup_.program, test, FailingExpectation::Traps);
    trial.outcome.test = test;
    auto first = runOnce(trial.program);
    if (!first && first.error().kind == ErrorKind::LostControl &&
        isHeddleTest(*setup_.program, test)) {
      startAtMain(trial.program); // its set-up may be what fails
      first = runOnce(trial.program);
    }
    if (first && first->result.outcome == Outcome::Failed) {
      // A test of failing expectations passes only when they do not end it.
      Program other = programOfTest(*setup_.program, test, FailingExpectation::GoesOn);
      auto second = runOnce(other);
      if (second && passed(*second)) {
        trial.program = std::move(other);
        first = std::move(second);
      }
    }
    if (!first) {
      if (first.error().isUsage())
        return first.error();
      lose(trial.outcome, first.error());
      return trial;
    }
    trial.explores = !passed(*first) || first->result.threads > 1;
    trial.outcome.runs = 1;
    bool skips = skippedItself(first->output);
    trial.outcome.end = skips ? TestEnd::Skipped : TestEnd::OneThread;
    trial.outcome.why = skips ? "by the test itself" : "";
    return trial;
  }

  static bool passed(const RunRecord& record) {
    return record.result.outcome == Outcome::Finished && record.result.exitStatus == 0;
  }

  /// The error of a run that was not let end has the exit code of an interrupt.
  Result<RunRecord> runOnce(const Program& program) {
    CommandContext context(std::make_shared<const Program>(program), setup_.options, nullptr);
    auto session = Session::create(context.sharedProgram(), context.sessions.freshOptions());
    if (!session)
      return session.error();
    PlanRequest request = context.plans.plan(StrategyKind::NonPreemptive, setup_.options.seed, 1);
    if (auto left = secondsLeft())
      request.plan.wallNanos = static_cast<uint64_t>(std::max(1.0, *left * 1e9));
    auto report = session->execute(request, nullptr, true);
    if (!report)
      return report.error();
    ++result_.report.runs;
    if (!report->last)
      return Error{"the run without preemption was not let end", ErrorKind::Interrupted};
    if (Status status = requireControl(*report->last); !status)
      return status.error();
    return std::move(*report->last);
  }

  /// An equal share of what is left, so that what one test does not need goes to those behind it.
  Options shareOf(size_t tests) const {
    Options options = setup_.options;
    if (auto left = secondsLeft())
      options.seconds = *left / static_cast<double>(tests);
    if (options.runs != 0) {
      uint64_t left = options.runs - std::min(options.runs, exploringRuns_);
      options.runs = std::max<uint64_t>(1, left / tests);
    }
    return options;
  }

  Status explore(TestOutcome& outcome, const std::shared_ptr<const Program>& program,
                 size_t tests) {
    Options options = shareOf(tests);
    CommandContext context(program, options, setup_.store);
    // The share of the time is ours; whether somebody has said for how long to search is not.
    if (setup_.options.seconds == 0)
      context.budget.setEndsWhenSettled(true);
    context.setProgressListener([&](const StageProgress& progress) {
      StageProgress shown = progress;
      shown.stage = outcome.test + ": " + progress.stage;
      show(shown);
    });
    auto done = command_(context);
    if (!done && done.error().isUsage())
      return done.error();
    outcome.end = TestEnd::NothingFound;
    outcome.why.clear();
    if (!done) {
      lose(outcome, done.error());
      return Success{};
    }
    take(outcome, *done);
    takeSuppressions(context);
    return Success{};
  }

  void take(TestOutcome& outcome, const CommandResult& done) {
    outcome.runs = done.report.runs;
    outcome.seconds = done.report.seconds;
    exploringRuns_ += done.report.runs;
    result_.report.runs += done.report.runs;
    result_.report.judgingRuns += done.report.judgingRuns;
    result_.report.cutRuns += done.report.cutRuns;
    for (const Finding& finding : done.report.findings) {
      outcome.findings.push_back(finding.id);
      add(finding);
    }
    if (!outcome.findings.empty())
      outcome.end = TestEnd::Found;
    for (const std::string& warning : done.report.warnings)
      warnings_[warning].push_back(outcome.test);
    for (const std::string& module : done.report.notSeen)
      if (auto& known = result_.report.notSeen;
          std::find(known.begin(), known.end(), module) == known.end())
        known.push_back(module);
    if (const auto* facts = std::get_if<SearchSummary>(&done.report.facts))
      functionsNotSeen_ = facts->functionsNotSeen;
    ++explored_;
    if (done.lost)
      lose(outcome, *done.lost);
  }

  /// Two tests can show one bug: it is one finding, the last one of the highest status, as in the
  /// store.
  void add(const Finding& finding) {
    auto& findings = result_.report.findings;
    testsOf_[finding.id].push_back(finding.test);
    auto known = std::find_if(findings.begin(), findings.end(),
                              [&](const Finding& other) { return other.id == finding.id; });
    if (known == findings.end())
      findings.push_back(finding);
    else if (finding.status >= known->status)
      *known = finding;
  }

  void lose(TestOutcome& outcome, const Error& error) {
    if (error.isNotEnded()) {
      outcome.end = TestEnd::NotRun;
      outcome.why = interrupted() ? "interrupted" : "time limit reached";
      return;
    }
    if (outcome.findings.empty())
      outcome.end = TestEnd::Lost;
    outcome.why = error.message;
    std::string text = "test " + outcome.test + ": " + error.message;
    if (result_.lost)
      warnings_[text];
    else
      result_.lost = Error{text, error.kind};
  }

  void takeSuppressions(CommandContext& context) {
    suppressed_ += context.suppressions.suppressed();
    std::vector<std::string> unused = context.suppressions.unused();
    if (explored_ == 1)
      unusedSuppressions_ = unused;
    std::erase_if(unusedSuppressions_, [&](const std::string& line) {
      return std::find(unused.begin(), unused.end(), line) == unused.end();
    });
  }

  void show(const StageProgress& progress) const {
    if (setup_.listener)
      setup_.listener(progress);
  }

  void noteTests() {
    for (Finding& finding : result_.report.findings) {
      std::string others;
      for (const std::string& test : testsOf_[finding.id])
        if (test != finding.test)
          others += (others.empty() ? "" : ", ") + test;
      if (others.empty())
        continue;
      finding.notes.push_back("also found in test " + others);
      if (setup_.store && !finding.schedule.empty())
        if (Status status = setup_.store->updateFinding(finding, setup_.program->executable);
            !status)
          warnings_[status.error().message];
    }
  }

  void addWarnings() {
    for (const auto& [text, tests] : warnings_) {
      std::string where;
      if (tests.size() == 1 && explored_ > 1)
        where = " (in test " + tests[0] + ")";
      else if (!tests.empty() && tests.size() < explored_)
        where = " (in " + std::to_string(tests.size()) + " tests)";
      result_.report.warnings.push_back(text + where);
    }
  }

  CommandResult finish() {
    Report& report = result_.report;
    noteTests();
    addWarnings();
    if (interrupted())
      for (TestOutcome& outcome : outcomes_)
        if (outcome.end == TestEnd::NotRun)
          outcome.why = "interrupted";
    report.summary = testTable(outcomes_);
    reportSuppressions(suppressed_, unusedSuppressions_, report);
    report.facts = SuiteSummary{outcomes_, functionsNotSeen_};
    report.seconds = secondsUsed();
    report.interrupted = interrupted();
    return std::move(result_);
  }

  const CommandSetup& setup_;
  ProgramCommand command_;
  CommandResult result_;
  std::vector<TestOutcome> outcomes_;
  std::map<std::string, std::vector<std::string>> testsOf_;  ///< by finding
  std::map<std::string, std::vector<std::string>> warnings_; ///< with the tests that gave them
  std::vector<std::string> unusedSuppressions_;
  std::vector<UnseenModule> functionsNotSeen_;
  uint64_t suppressed_ = 0;
  uint64_t exploringRuns_ = 0;
  size_t explored_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace

Result<CommandResult> runByTest(const CommandSetup& setup, ProgramCommand command) {
  if (!isTestProgram(*setup.program, setup.options)) {
    CommandContext context(setup.program, setup.options, setup.store);
    context.setProgressListener(setup.listener);
    return command(context);
  }
  auto tests = listTests(*setup.program, setup.options);
  if (!tests)
    return tests.error();
  return Suite(setup, command).execute(*tests);
}

} // namespace heddle
