#include "fake_command.h"

#include "control/interrupt.h"
#include "pipeline/commands/minimize.h"
#include "pipeline/commands/replay_target.h"
#include "pipeline/judging/minimizer.h"

namespace heddle {
namespace {

constexpr size_t kPadded = 10; ///< decisions of a failing run with padding=9, of which one matters

class Minimize : public StoreTest {
protected:
  static uint64_t minimizingRuns(const Report& report) {
    if (const auto* facts = std::get_if<MinimizeSummary>(&report.facts))
      return facts->runs;
    return std::get<SearchSummary>(report.facts).minimizingRuns;
  }

  CommandResult checkPadded(bool minimizes, std::vector<std::string> more = {}) {
    Options options = quickOptions(300);
    options.minimize = minimizes;
    more.insert(more.end(), {"fail=57", "padding=9"});
    return checkFake(more, options);
  }

  Finding stored(const std::string& id) {
    auto finding = store_->finding(id);
    EXPECT_TRUE(finding);
    return finding ? finding->finding : Finding();
  }

  static size_t decisionsOf(const Finding& finding) {
    auto schedule = parseSchedule(finding.schedule);
    EXPECT_TRUE(schedule);
    return schedule ? schedule->decisions.size() : 0;
  }

  /// `words`: the finding, and another program to run.
  Result<CommandResult> minimizeWords(const std::vector<std::string>& words, uint64_t runs = 1000) {
    auto target = findReplayTarget(words, folder_, {});
    if (!target)
      return target.error();
    Options options;
    options.runs = runs;
    CommandContext context(target->program, options, &*store_);
    return minimize(context, *target);
  }
};

TEST_F(Minimize, ACheckShowsTheMinimisedSchedule) {
  CommandResult result = checkPadded(true);
  EXPECT_EQ(exitCodeOf(result, {}), 2);
  ASSERT_EQ(result.report.findings.size(), 1u);
  const Finding& finding = result.report.findings[0];
  EXPECT_EQ(finding.status, FindingStatus::Confirmed);
  EXPECT_EQ(decisionsOf(finding), 1u);
  ASSERT_TRUE(finding.switches && finding.foundSwitches);
  EXPECT_EQ(finding.switches->preemptions, 1u);
  EXPECT_EQ(finding.foundSwitches->preemptions, kPadded);
  EXPECT_EQ(finding.foundSwitches->switches, kPadded + 1);
  EXPECT_EQ(stored(finding.id).schedule, finding.schedule);
  EXPECT_EQ(stored(finding.id).foundSwitches->preemptions, kPadded);
}

TEST_F(Minimize, ItsRunsAreCountedApart) {
  checkPadded(false); // the others know from it what recordings show
  CommandResult with = checkPadded(true), without = checkPadded(false);
  ASSERT_EQ(with.report.findings.size(), 1u);
  ASSERT_EQ(without.report.findings.size(), 1u);
  EXPECT_EQ(with.report.runs, without.report.runs);
  EXPECT_EQ(with.report.findings[0].run, without.report.findings[0].run);
  EXPECT_EQ(minimizingRuns(without.report), 0u);
  EXPECT_GT(minimizingRuns(with.report), 1u);
}

TEST_F(Minimize, CanBeTurnedOff) {
  CommandResult result = checkPadded(false);
  ASSERT_EQ(result.report.findings.size(), 1u);
  const Finding& finding = result.report.findings[0];
  EXPECT_EQ(decisionsOf(finding), kPadded);
  ASSERT_TRUE(finding.switches);
  EXPECT_EQ(finding.switches->preemptions, kPadded);
  EXPECT_FALSE(finding.foundSwitches);
}

TEST_F(Minimize, WhatDoesNotReplayIsNotTakenOver) {
  CommandResult result = checkPadded(true, {"drift-short=1"});
  EXPECT_EQ(exitCodeOf(result, {}), 2);
  EXPECT_FALSE(result.lost);
  ASSERT_EQ(result.report.findings.size(), 1u);
  EXPECT_EQ(result.report.findings[0].status, FindingStatus::Confirmed);
  EXPECT_EQ(decisionsOf(result.report.findings[0]), kPadded);
}

TEST_F(Minimize, HasNoTimeAtTheEndOfABudget) {
  Options options;
  options.seconds = 0.05;
  CommandContext context(fakeProgram({}), options, nullptr);
  EXPECT_TRUE(Minimizer::budgetOf(context)) << "time is not limited yet";
  context.budget.limitTime();
  EXPECT_FALSE(Minimizer::budgetOf(context));
  setInterrupted(true);
  EXPECT_FALSE(Minimizer::budgetOf(CommandContext(fakeProgram({}), Options(), nullptr)));
  setInterrupted(false);
}

TEST_F(Minimize, UpdatesAStoredFinding) {
  Finding found = checkPadded(false).report.findings.at(0);
  auto result = minimizeWords({found.id});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(exitCodeOf(*result, {}), 2);
  EXPECT_EQ(result->report.command, "minimize");
  EXPECT_EQ(result->report.summary.at(1), "preemptions: 10 before, 1 after");
  EXPECT_EQ(result->report.summary.at(2), "context switches: 11 before, 2 after");
  ASSERT_EQ(result->report.findings.size(), 1u);
  Finding now = stored(found.id);
  EXPECT_EQ(decisionsOf(now), 1u);
  EXPECT_EQ(now.status, FindingStatus::Confirmed);
  EXPECT_EQ(now.run, found.run);
  EXPECT_EQ(now.message, found.message);
  EXPECT_EQ(now.replay, "heddle replay " + found.id);
  EXPECT_EQ(now.foundSwitches->preemptions, kPadded);
  // Once more: nothing is left to gain, and what was found first is still known.
  auto again = minimizeWords({found.id});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->report.summary.at(1), "preemptions: 1 before, 1 after");
  EXPECT_EQ(stored(found.id).schedule, now.schedule);
  EXPECT_EQ(stored(found.id).foundSwitches->preemptions, kPadded);
}

TEST_F(Minimize, AStoredScheduleStaysWhenNoBetterOneReplays) {
  Finding found = checkPadded(false, {"drift-short=1"}).report.findings.at(0);
  auto result = minimizeWords({found.id});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(exitCodeOf(*result, {}), 2);
  ASSERT_EQ(result->report.warnings.size(), 1u);
  EXPECT_NE(result->report.warnings[0].find("the stored one stays"), std::string::npos);
  EXPECT_EQ(stored(found.id).schedule, found.schedule);
}

TEST_F(Minimize, EndsWithItsRuns) {
  Finding found = checkPadded(false).report.findings.at(0);
  auto result = minimizeWords({found.id}, 3);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(minimizingRuns(result->report), 3u);
  EXPECT_NE(result->report.summary.at(3).find("the budget was reached"), std::string::npos);
  EXPECT_LT(decisionsOf(stored(found.id)), kPadded) << "what was gained until then is kept";
}

TEST_F(Minimize, AChangedProgramIsLostControl) {
  Finding found = checkPadded(false).report.findings.at(0);
  auto result = minimizeWords({found.id, HEDDLE_FAKE_PROGRAM, "fail=57", "padding=9", "drift=1"});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(exitCodeOf(*result, {}), 4);
  ASSERT_TRUE(result->lost);
  EXPECT_NE(result->lost->message.find("the replay is not the recorded run"), std::string::npos);
  EXPECT_EQ(stored(found.id).schedule, found.schedule);
}

TEST_F(Minimize, AFindingWithoutAScheduleIsOneSentence) {
  Finding found = checkPadded(false).report.findings.at(0);
  found.schedule.clear();
  ASSERT_TRUE(store_->updateFinding(found, programOf(store_->finding(found.id)->run)));
  auto result = minimizeWords({found.id});
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().isUsage());
  EXPECT_NE(result.error().message.find("has no schedule"), std::string::npos);
}

} // namespace
} // namespace heddle
