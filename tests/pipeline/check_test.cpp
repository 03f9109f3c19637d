#include "../busyness.h"
#include "fake_command.h"

#include "control/interrupt.h"

#include <algorithm>
#include <thread>

namespace heddle {
namespace {

using Check = StoreTest;

const SearchSummary& factsOf(const CommandResult& result) {
  return std::get<SearchSummary>(result.report.facts);
}

std::string isolationOf(const CommandResult& result) {
  const auto& sampling = factsOf(result).sampling;
  return sampling ? sampling->isolation : "";
}

TEST_F(Check, FindsNothingInAProgramThatDoesNotFail) {
  CommandResult result = checkFake({}, quickOptions(300));
  EXPECT_EQ(exitCodeOf(result, {}), 0);
  EXPECT_TRUE(result.report.findings.empty());
  EXPECT_GE(result.report.runs, 300u);
  EXPECT_EQ(isolationOf(result), "inplace");
}

TEST_F(Check, ConfirmsAndStoresAFailure) {
  CommandResult result = checkFake({"fail=57", "events=10"}, quickOptions(300));
  EXPECT_EQ(exitCodeOf(result, {}), 2);
  ASSERT_EQ(result.report.findings.size(), 1u);
  const Finding& finding = result.report.findings[0];
  EXPECT_EQ(finding.kind, FindingKind::Assertion);
  EXPECT_EQ(finding.status, FindingStatus::Confirmed);
  EXPECT_EQ(finding.message, "assertion failed: counter == 2");
  EXPECT_EQ(finding.seed, 57u);
  EXPECT_EQ(finding.digest, mix(7, 57));
  ASSERT_EQ(finding.sites.size(), 1u);
  EXPECT_EQ(finding.sites[0].location.file, "fake.cpp");
  EXPECT_EQ(finding.sites[0].object, "counter");
  EXPECT_EQ(finding.threads.size(), 2u);
  EXPECT_EQ(finding.steps.size(), 10u);
  EXPECT_EQ(finding.replay, "heddle replay " + finding.id);
  auto schedule = parseSchedule(finding.schedule);
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->decisions.size(), 1u);
  EXPECT_FALSE(schedule->pointsName.empty());
  auto stored = store_->finding(finding.id);
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->finding.schedule, finding.schedule);
  EXPECT_EQ(stored->run.pointsId, schedule->pointsName);
  auto traces = store_->traces();
  ASSERT_TRUE(traces);
  ASSERT_EQ(traces->size(), 1u);
  EXPECT_EQ((*traces)[0].events, 10u);
}

TEST_F(Check, TheNumberOfJobsDoesNotShow) {
  for (const char* failing : {"fail=9", "fail=57", "fail=140", "exit=200"}) {
    std::vector<std::string> ids;
    std::vector<uint64_t> runs, seeds;
    for (uint64_t jobs : {0, 1, 2, 3}) {
      Options options = quickOptions(300);
      options.jobs = jobs;
      CommandResult result = checkFake({failing}, options);
      ASSERT_EQ(result.report.findings.size(), 1u) << failing << " with " << jobs << " jobs";
      ids.push_back(result.report.findings[0].id);
      seeds.push_back(result.report.findings[0].seed);
      runs.push_back(result.report.runs);
    }
    EXPECT_EQ(ids[0], ids[1]);
    EXPECT_EQ(ids[0], ids[2]);
    EXPECT_EQ(seeds[0], seeds[1]);
    EXPECT_EQ(seeds[0], seeds[2]);
  }
}

TEST(Jobs, AreOneWhereRunsGetIntoEachOthersWay) {
  auto jobsAfter = [](uint64_t asked, uint32_t flags, const Session::Notes& notes) {
    Options options;
    options.jobs = asked;
    CommandContext context(fakeProgram({}), options, nullptr);
    RunRecord record{};
    record.result.flags = flags;
    context.learnFromFirstRun(record, notes);
    return context.sessions.jobs();
  };
  EXPECT_EQ(jobsAfter(0, 0, {}), coreCount());
  EXPECT_EQ(jobsAfter(0, 0, {false, true, {}}), 1u) << "a fixed port";
  EXPECT_EQ(jobsAfter(0, 0, {false, false, {"/var/log/x"}}), 1u);
  EXPECT_EQ(jobsAfter(0, kResultNotRestorable, {}), 1u);
  EXPECT_EQ(jobsAfter(3, kResultNotRestorable, {}), 3u) << "as asked for";
}

TEST_F(Check, KeepGoingCollectsDifferentFailures) {
  Options options = quickOptions(300);
  EXPECT_EQ(checkFake({"fail=57", "exit=90"}, options).report.findings.size(), 1u);
  options.keep_going = true;
  CommandResult result = checkFake({"fail=57", "exit=90"}, options);
  ASSERT_EQ(result.report.findings.size(), 2u);
  EXPECT_EQ(result.report.findings[0].kind, FindingKind::Assertion);
  EXPECT_EQ(result.report.findings[1].kind, FindingKind::ExitStatus);
  EXPECT_GE(result.report.runs, 300u);
}

TEST_F(Check, KeepGoingKeepsTheShortestScheduleOfACause) {
  Options options = quickOptions(300);
  options.keep_going = true;
  CommandResult result = checkFake({"fail-from=251"}, options);
  ASSERT_EQ(result.report.findings.size(), 1u);
  const Finding& finding = result.report.findings[0];
  // The first run and the recordings are among the 300, and do not fail.
  EXPECT_EQ(result.report.runs, 300u);
  EXPECT_GT(finding.count, 30u);
  EXPECT_LT(finding.count, 50u);
  std::string failed = "300 runs, " + std::to_string(finding.count) + " failed";
  EXPECT_EQ(std::count(result.report.summary.begin(), result.report.summary.end(), failed), 1);
  EXPECT_EQ(finding.seed, 251u) << "the first that failed";
  EXPECT_EQ(parseSchedule(finding.schedule)->decisions.size(), 1u);
  auto stored = store_->finding(finding.id);
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->finding.count, finding.count);
  EXPECT_EQ(stored->finding.schedule, finding.schedule);
  EXPECT_EQ(stored->run.seed, 255u) << "251 has a longer schedule";
  EXPECT_EQ(stored->timesSeen, 1u);
}

TEST_F(Check, AStatusThatIsNormalIsNoFailure) {
  CommandResult result = checkFake({"status=5"}, quickOptions(50));
  EXPECT_EQ(exitCodeOf(result, {}), 0);
  result = checkFake({"exit=20"}, quickOptions(50));
  EXPECT_EQ(exitCodeOf(result, {}), 2);
  ASSERT_EQ(result.report.findings.size(), 1u);
  EXPECT_EQ(result.report.findings[0].message,
            "the program ends with exit status 3; without preemption it ends with 0");
}

TEST_F(Check, CutRunsAreCountedAndNotReported) {
  CommandResult result = checkFake({"cut=20"}, quickOptions(100));
  EXPECT_EQ(exitCodeOf(result, {}), 0);
  EXPECT_EQ(factsOf(result).cut, 1u);
  EXPECT_GE(result.report.runs, 100u) << "the runs behind it were made";
}

TEST_F(Check, AFailureThatDoesNotReplayIsLostControl) {
  CommandResult result = checkFake({"fail=20", "drift=1"}, quickOptions(100));
  EXPECT_EQ(exitCodeOf(result, {}), 4);
  EXPECT_TRUE(result.report.findings.empty());
  ASSERT_TRUE(result.lost);
  EXPECT_NE(result.lost->message.find("trace digest"), std::string::npos);
}

TEST_F(Check, LostControlKeepsTheReport) {
  CommandResult result = checkFake({"hang=40"}, quickOptions(100));
  EXPECT_EQ(exitCodeOf(result, {}), 4);
  ASSERT_TRUE(result.lost);
  EXPECT_NE(result.lost->message.find("without a scheduling point in worker()"), std::string::npos);
  EXPECT_GE(result.report.runs, 39u);
}

TEST_F(Check, KeepsFindingsThatWereMadeBeforeControlWasLost) {
  Options options = quickOptions(300);
  options.keep_going = true;
  CommandResult result = checkFake({"fail=10", "hang=200"}, options);
  EXPECT_EQ(exitCodeOf(result, {}), 2);
  EXPECT_EQ(result.report.findings.size(), 1u);
  EXPECT_TRUE(result.lost);
}

TEST_F(Check, SaysWhyIsolationStepsDown) {
  CommandResult result = checkFake({"inplace=0"}, quickOptions(50));
  EXPECT_EQ(isolationOf(result), "fork");
  result = checkFake({"inplace=0", "fork=0"}, quickOptions(20));
  EXPECT_EQ(isolationOf(result), "exec");
}

TEST_F(Check, LearnedPointsAreKept) {
  checkFake({}, quickOptions(10));
  auto program = fakeProgram({});
  auto points = store_->currentPoints(program->buildId);
  ASSERT_TRUE(points && *points);
  EXPECT_EQ((*points)->sites, (std::vector<SiteIdentity>{static_cast<SiteIdentity>(200)}));
}

TEST_F(Check, EndsWhenNothingNewShowsUp) {
  Options options;
  options.settled_runs = 500;
  CommandResult result = checkFake({}, options);
  EXPECT_EQ(exitCodeOf(result, {}), 0);
  EXPECT_GE(result.report.runs, 500u);
  EXPECT_LT(result.report.seconds, 30 * busyness());
}

TEST_F(Check, TheTimeBudgetEndsIt) {
  Options options;
  options.seconds = 0.5;
  options.settled_runs = 0;
  CommandResult result = checkFake({}, options);
  EXPECT_EQ(exitCodeOf(result, {}), 0);
  EXPECT_GE(result.report.seconds, 0.47) << "a twentieth is for the end";
  EXPECT_LT(result.report.seconds, 20 * busyness());
}

TEST_F(Check, TheTimeBudgetHoldsInTheFirstRun) {
  Options options;
  options.seconds = 0.4;
  CommandContext context(fakeProgram({"long=0"}), options, &*store_);
  auto result = check(context);
  EXPECT_LT(context.budget.secondsUsed(), 1.9 * busyness());
  ASSERT_TRUE(result && result->lost);
  EXPECT_EQ(exitCodeOf(*result, {}), 4);
  EXPECT_NE(result->lost->message.find("nothing was checked"), std::string::npos);
}

TEST_F(Check, RunsAreAllThatLookForSomething) {
  for (uint64_t runs : {1, 2, 7, 100}) {
    CommandResult result = checkFake({}, quickOptions(runs));
    EXPECT_LE(result.report.runs, runs);
    EXPECT_EQ(result.report.judgingRuns, 0u);
  }
}

TEST_F(Check, RunsThatJudgeAreCountedApart) {
  CommandResult result = checkFake({"fail=20"}, quickOptions(100));
  EXPECT_EQ(exitCodeOf(result, {}), 2);
  EXPECT_LE(result.report.runs, 100u);
  EXPECT_GE(result.report.judgingRuns, 1u);
}

TEST_F(Check, WhatSettlesIsTriedInOtherWaysWhenSomebodySaysForHowLong) {
  Options options;
  options.seconds = 3;
  CommandResult result = checkFake({}, options);
  EXPECT_GE(result.report.seconds, 2.5);
  std::string summary;
  for (const std::string& line : result.report.summary)
    summary += line + "\n";
  EXPECT_EQ(summary.find("no new behaviour in"), std::string::npos) << summary;
}

TEST_F(Check, TheTimeBudgetHoldsInALongRun) {
  Options options;
  options.seconds = 0.6;
  options.keep_going = true;
  CommandResult result = checkFake({"fail=20", "long=60"}, options);
  EXPECT_EQ(exitCodeOf(result, {}), 2) << "what was found before is kept";
  EXPECT_LT(result.report.seconds, 2.1 * busyness());
  ASSERT_EQ(result.report.findings.size(), 1u);
  EXPECT_EQ(result.report.findings[0].status, FindingStatus::Confirmed);
}

TEST_F(Check, TheTimeBudgetHoldsInAConfirmation) {
  Options options;
  options.seconds = 0.6;
  CommandResult result = checkFake({"fail=20", "long-replay=1"}, options);
  EXPECT_EQ(exitCodeOf(result, {}), 0);
  EXPECT_LT(result.report.seconds, 2.6 * busyness());
  ASSERT_EQ(result.report.findings.size(), 1u);
  const Finding& finding = result.report.findings[0];
  EXPECT_EQ(finding.status, FindingStatus::Potential);
  EXPECT_EQ(finding.message, "assertion failed: counter == 2");
  EXPECT_TRUE(store_->finding(finding.id)) << "it can be replayed later";
}

TEST_F(Check, AnInterruptEndsAConfirmationThatTakesLong) {
  std::thread interrupter([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    setInterrupted(true);
  });
  CommandResult result = checkFake({"fail=20", "long-replay=1"}, quickOptions(100));
  interrupter.join();
  setInterrupted(false);
  EXPECT_EQ(exitCodeOf(result, {}), 130);
  EXPECT_LT(result.report.seconds, 3 * busyness());
  ASSERT_EQ(result.report.findings.size(), 1u);
  EXPECT_EQ(result.report.findings[0].status, FindingStatus::Potential);
}

TEST_F(Check, AnInterruptIsExit130) {
  setInterrupted(true);
  CommandResult result = checkFake({}, quickOptions(100));
  setInterrupted(false);
  EXPECT_EQ(exitCodeOf(result, {}), 130);
}

TEST_F(Check, WorksWithoutAStore) {
  CommandContext context(fakeProgram({"fail=57"}), quickOptions(100), nullptr);
  auto result = check(context);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(exitCodeOf(*result, {}), 2);
  EXPECT_EQ(result->report.findings.size(), 1u);
}

TEST_F(Check, AProgramThatRefusesIsAnError) {
  CommandContext context(fakeProgram({"refuse=1"}), quickOptions(10), nullptr);
  auto result = check(context);
  ASSERT_TRUE(result);
  EXPECT_EQ(exitCodeOf(*result, {}), 4);
  ASSERT_TRUE(result->lost);
  EXPECT_EQ(result->lost->message, "the fake runtime refuses to start");
}

TEST_F(Check, RunUsesOneStrategy) {
  Options options = quickOptions(40);
  options.strategy = "pos";
  CommandContext context(fakeProgram({"fail=30"}), options, &*store_);
  auto result = run(context);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->report.findings.size(), 1u);
  EXPECT_EQ(result->report.command, "run");
  EXPECT_EQ(result->report.findings[0].strategy, "pos");
}

TEST_F(Check, BelievesNothingOfAnAnalysisThatARunRefutes) {
  Options options = quickOptions(10);
  options.targets = "predicted"; // so that it does not ask for a list of its own
  CommandContext context(fakeProgram({}), options, &*store_);
  context.localSites.set({200});
  ASSERT_TRUE(check(context));
  EXPECT_EQ(context.localSites.refuted(), 1u); // the recordings after the first do without it
  PlanRequest recording;
  context.localSites.leaveOut(recording, 1);
  EXPECT_TRUE(recording.localSites.empty());
  auto names = [](const std::string& text) { return text.find("fake.cpp:20") != text.npos; };
  auto warning =
      std::find_if(context.notes.warnings().begin(), context.notes.warnings().end(), names);
  ASSERT_NE(warning, context.notes.warnings().end());
  EXPECT_NE(warning->find("Nothing is left out of recordings from here on"), warning->npos);
}

} // namespace
} // namespace heddle
