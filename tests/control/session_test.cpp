#include "../busyness.h"
#include "fake_session.h"

#include "control/interrupt.h"

#include <filesystem>
#include <thread>

namespace heddle {
namespace {

class EachIsolation : public testing::TestWithParam<Isolation> {};

TEST_P(EachIsolation, MakesAllRunsInOrderOfSeed) {
  Session session = fakeSession({}, fakeOptions(GetParam()));
  auto report = session.execute(fakePlan(10, 20));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->results.size(), 20u);
  EXPECT_EQ(report->stop, BatchStop::AllRuns);
  EXPECT_FALSE(report->last);
  for (uint64_t i = 0; i < 20; ++i) {
    EXPECT_EQ(report->results[i].seed, 10 + i);
    EXPECT_EQ(report->results[i].digest, mix(7, 10 + i));
  }
  EXPECT_EQ(session.isolation(), GetParam());
}

TEST_P(EachIsolation, StopsAtTheFirstFailureAndGoesOnBehindIt) {
  Session session = fakeSession({"fail=13"}, fakeOptions(GetParam()));
  auto report = session.execute(fakePlan(10, 20));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->stop, BatchStop::Failure);
  ASSERT_EQ(report->results.size(), 4u);
  ASSERT_TRUE(report->last);
  const RunRecord& record = *report->last;
  EXPECT_EQ(record.result.seed, 13u);
  EXPECT_EQ(record.failure, FailureKind::Assertion);
  EXPECT_EQ(record.message, "assertion failed: counter == 2");
  ASSERT_EQ(record.decisions.size(), 1u);
  EXPECT_EQ(record.decisions[0].occurrence, 13u);
  ASSERT_EQ(record.threads.size(), 2u);
  EXPECT_EQ(record.threadNames().text(record.threads[1].path), "1");
  auto rest = session.execute(fakePlan(14, 16));
  ASSERT_TRUE(rest) << rest.error().message;
  EXPECT_EQ(rest->results.size(), 16u);
}

TEST_P(EachIsolation, ReplaysASchedule) {
  Session session = fakeSession({"fail=13"}, fakeOptions(GetParam()));
  PlanRequest request = fakePlan(1, 1);
  request.plan.strategy = StrategyKind::Replay;
  request.schedule = {{ThreadPath::Main, static_cast<SiteIdentity>(100),
                       childPath(ThreadPath::Main, 1), 13, DecisionKind::Switch}};
  auto report = session.execute(request, nullptr, true);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->last);
  EXPECT_EQ(report->last->result.outcome, Outcome::Failed);
  EXPECT_EQ(report->last->result.digest, mix(7, 13));
}

TEST_P(EachIsolation, DeliversEveryEvent) {
  // More than the ring holds, so that the program has to wait for the controller.
  constexpr uint64_t kEvents = 2'500'000;
  Session session = fakeSession({"events=" + std::to_string(kEvents)}, fakeOptions(GetParam()));
  PlanRequest request = fakePlan(1, 1);
  request.plan.flags = kPlanRecord;
  uint64_t seen = 0;
  bool inOrder = true;
  auto report = session.execute(request, [&](std::span<const Event> events) {
    for (const Event& event : events)
      inOrder = inOrder && event.address == 0x1000 + seen++;
  });
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->results.size(), 1u);
  EXPECT_EQ(report->results[0].events, kEvents);
  EXPECT_EQ(seen, kEvents);
  EXPECT_TRUE(inOrder);
}

TEST_P(EachIsolation, GivesEveryRunItsInputAndCapturesItsOutput) {
  auto program = fakeProgram({"echo=1", "fail=3"});
  program->input = "one\ntwo\n";
  program->hasInput = true;
  auto session = Session::create(program, fakeOptions(GetParam()));
  ASSERT_TRUE(session);
  auto report = session->execute(fakePlan(1, 5));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->last);
  EXPECT_EQ(report->last->output, "one\ntwo\n") << "of the failing run only";
}

TEST_P(EachIsolation, ARunThatKillsTheProgramIsTriedTwice) {
  Session session = fakeSession({"die=5"}, fakeOptions(GetParam()));
  auto report = session.execute(fakePlan(1, 10));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->results.size(), 5u);
  EXPECT_EQ(report->results[3].outcome, Outcome::Finished);
  ASSERT_TRUE(report->last);
  EXPECT_EQ(report->last->result.outcome, Outcome::Died);
  EXPECT_EQ(report->last->result.seed, 5u);
  EXPECT_NE(report->last->message.find("SIGKILL"), std::string::npos) << report->last->message;
  auto rest = session.execute(fakePlan(6, 5));
  ASSERT_TRUE(rest) << rest.error().message;
  EXPECT_EQ(rest->results.size(), 5u) << "the session goes on with a new process";
}

INSTANTIATE_TEST_SUITE_P(Isolations, EachIsolation,
                         testing::Values(Isolation::Exec, Isolation::Fork, Isolation::InPlace),
                         [](const auto& info) { return std::string(isolationName(info.param)); });

TEST(Session, ADeathFromOutsideLosesNoRun) {
  std::string mark = "/tmp/heddle-die-once-" + std::to_string(getpid());
  Session session = fakeSession({"die-once=" + mark});
  auto report = session.execute(fakePlan(1, 10));
  std::filesystem::remove(mark);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->results.size(), 10u);
  EXPECT_EQ(report->stop, BatchStop::AllRuns);
  for (uint64_t i = 0; i < 10; ++i)
    EXPECT_EQ(report->results[i].seed, i + 1);
}

TEST(Session, WatchdogSaysWhereASilentThreadIs) {
  Session session = fakeSession({"hang=3"});
  auto report = session.execute(fakePlan(1, 10));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->last);
  EXPECT_EQ(report->last->result.outcome, Outcome::LostControl);
  EXPECT_EQ(report->last->result.seed, 3u);
  EXPECT_EQ(report->last->message,
            "thread T1 has run for 0.3 s without a scheduling point in worker() (fake.cpp:20)");
  EXPECT_EQ(report->results.size(), 3u);
}

TEST(Session, AProgramThatNeverReachesMainIsReported) {
  Session session = fakeSession({"never=1"});
  auto report = session.execute(fakePlan(1, 1));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->last);
  EXPECT_EQ(report->last->result.outcome, Outcome::LostControl);
  EXPECT_NE(report->last->message.find("before it reaches main"), std::string::npos);
}

TEST(Session, ARefusalIsTheError) {
  auto report = fakeSession({"refuse=1"}).execute(fakePlan(1, 1));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "the fake runtime refuses to start");
  EXPECT_EQ(report.error().kind, ErrorKind::LostControl);
}

TEST(Session, AnEarlyExitShowsTheProgramsOutput) {
  auto report = fakeSession({"early=1"}).execute(fakePlan(1, 1));
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("exited with status 7 before it reached main"),
            std::string::npos);
  EXPECT_NE(report.error().message.find("no licence"), std::string::npos);
}

TEST(Session, ServesAProgramThatStopsAtIdleFirst) {
  auto report = fakeSession({"idle=1"}).execute(fakePlan(1, 3));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->results.size(), 3u);
}

TEST(Session, StepsDownToWhatTheProgramAllows) {
  Session toFork = fakeSession({"inplace=0"});
  auto report = toFork.execute(fakePlan(1, 3));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->results.size(), 3u);
  EXPECT_EQ(toFork.isolation(), Isolation::Fork);
  EXPECT_FALSE(toFork.isolationReason().empty());
  Session toExec = fakeSession({"inplace=0", "fork=0"});
  report = toExec.execute(fakePlan(1, 3));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->results.size(), 3u);
  EXPECT_EQ(toExec.isolation(), Isolation::Exec);
}

TEST(Session, AFixedIsolationIsNotChanged) {
  SessionOptions options = fakeOptions();
  options.isolationFixed = true;
  auto report = fakeSession({"inplace=0"}, options).execute(fakePlan(1, 3));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::LostControl);
  EXPECT_NE(report.error().message.find("--isolation=inplace"), std::string::npos);
}

TEST(Session, EnlargesTheDonorPool) {
  Session session = fakeSession({"donors=40"});
  auto report = session.execute(fakePlan(1, 10));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->results.size(), 10u);
  for (uint64_t i = 0; i < 10; ++i)
    EXPECT_EQ(report->results[i].seed, i + 1);
  EXPECT_EQ(session.isolation(), Isolation::InPlace);
}

TEST(Session, ReadsTheSiteTable) {
  Session session = fakeSession({});
  PlanRequest request = fakePlan(1, 1);
  request.plan.flags = kPlanLearn;
  ASSERT_TRUE(session.execute(request));
  auto sites = session.sites();
  ASSERT_TRUE(sites) << sites.error().message;
  ASSERT_EQ((*sites)->size(), 2u);
  const SiteEntry* site = (*sites)->find(static_cast<SiteId>(2));
  EXPECT_EQ(site->function, "worker()");
  EXPECT_EQ(site->object, "counter");
  EXPECT_TRUE(site->learned & kLearnedShared);
}

TEST(Session, DescribesWithoutARun) {
  Session session = fakeSession({}, fakeOptions(Isolation::Exec));
  PlanRequest request = fakePlan(1, 1);
  request.plan.flags = kPlanDumpSites | kPlanDescribeOnly;
  auto report = session.execute(request);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->results.empty());
  EXPECT_TRUE(session.sites());
}

TEST(Session, AnInterruptEndsAPlan) {
  SessionOptions options = fakeOptions();
  options.hangCpuSeconds = 100;
  Session session = fakeSession({"hang=3"}, options);
  std::thread user([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    setInterrupted(true);
  });
  auto report = session.execute(fakePlan(1, 10));
  user.join();
  setInterrupted(false);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->interrupted);
  EXPECT_EQ(report->results.size(), 2u) << "what was done is kept";
}

TEST(Session, ARunThatGoesOnBehindThePlansTimeIsEnded) {
  Session session = fakeSession({"long=12"});
  PlanRequest request = fakePlan(10, 20);
  request.plan.wallNanos = 100'000'000;
  auto start = std::chrono::steady_clock::now();
  auto report = session.execute(request, nullptr, true);
  std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->stop, BatchStop::WallTime);
  EXPECT_EQ(report->results.size(), 2u);
  EXPECT_FALSE(report->last);
  EXPECT_LT(used.count(), 1.5 * busyness());
  EXPECT_EQ(session.execute(fakePlan(13, 5))->results.size(), 5u) << "the session goes on";
}

TEST(Session, ACancelledPlanEndsOnlyThis) {
  std::atomic<bool> cancel{true};
  Session session = fakeSession({});
  session.setCancel(&cancel);
  auto report = session.execute(fakePlan(1, 10));
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->interrupted);
  cancel = false;
  report = session.execute(fakePlan(1, 10));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->results.size(), 10u);
}

TEST(Session, LeavesNothingBehind) {
  // A folder of its own: other sessions leave and take folders in the common one.
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("left-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const char* usual = getenv("TMPDIR");
  std::string restored = usual ? usual : "";
  setenv("TMPDIR", folder.c_str(), 1);
  pid_t pid;
  {
    Session session = fakeSession({});
    ASSERT_TRUE(session.execute(fakePlan(1, 3)));
    pid = session.processId();
    ASSERT_GT(pid, 0);
    EXPECT_EQ(kill(pid, 0), 0);
    EXPECT_FALSE(std::filesystem::is_empty(folder));
  }
  EXPECT_EQ(kill(pid, 0), -1);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
  usual ? setenv("TMPDIR", restored.c_str(), 1) : unsetenv("TMPDIR");
}

} // namespace
} // namespace heddle
