#include "describe/finding_builder.h"
#include "describe/known_issues.h"
#include "describe/late_use_text.h"
#include "describe/missed_wakeup.h"
#include "describe/race_finding.h"
#include "run_writer.h"

#include <csignal>

namespace heddle {
namespace {

constexpr uint64_t kCondition = 0x40000;
constexpr uint64_t kOther = 0x50000;

RunWriter created() {
  RunWriter writer;
  writer.run().record.failure = FailureKind::None;
  writer.add(0, EventKind::ThreadCreate, 0x71)
      .about(1)
      .add(0, EventKind::ThreadCreate, 0x72)
      .about(2);
  writer.add(1, EventKind::ThreadStart, 0x71).add(2, EventKind::ThreadStart, 0x72);
  return writer;
}

std::vector<std::string> actionsOf(const std::vector<Step>& steps) {
  std::vector<std::string> actions;
  for (const Step& step : steps)
    actions.push_back(step.action + (step.value.empty() ? "" : " " + step.value));
  return actions;
}

TEST(Story, EndsWithTheAccessesThatMeet) {
  RunWriter writer = created();
  writer.add(1, EventKind::Read, kCounter).add(1, EventKind::Value, 0);
  writer.add(2, EventKind::Write, kCounter).add(2, EventKind::Value, 1);
  writer.meets(1, EventKind::Read, kCounter, 1).meets(2, EventKind::Write, kCounter, 1);
  auto actions = actionsOf(writer.steps());
  ASSERT_GE(actions.size(), 2u);
  EXPECT_EQ(actions[actions.size() - 2], "read counter = 0");
  EXPECT_EQ(actions.back(), "about to write counter = 1");
}

TEST(Story, WhatTheFirstThreadDoesBeforeTheSecondAccessIsLeftOut) {
  RunWriter writer = created();
  writer.add(1, EventKind::Write, kCounter).add(1, EventKind::Value, 1);
  writer.add(1, EventKind::MutexLock, kLock, 2).add(1, EventKind::MutexUnlock, kLock, 2);
  writer.add(2, EventKind::Read, kCounter).add(2, EventKind::Value, 1);
  writer.meets(1, EventKind::Write, kCounter, 1).meets(2, EventKind::Read, kCounter, 1);
  auto actions = actionsOf(writer.steps());
  EXPECT_EQ(actions[actions.size() - 2], "write counter = 1");
  EXPECT_EQ(actions.back(), "about to read counter = 1");
}

TEST(Story, AnAccessThatTheSecondThreadHadNotComeToIsNotAhead) {
  RunWriter writer = created();
  writer.add(1, EventKind::Read, kCounter).add(1, EventKind::Value, 0);
  writer.add(2, EventKind::MutexLock, kLock, 2).add(2, EventKind::MutexUnlock, kLock, 2);
  writer.add(2, EventKind::Write, kCounter).add(2, EventKind::Value, 1);
  writer.meets(1, EventKind::Read, kCounter, 1).meets(2, EventKind::Write, kCounter, 1);
  auto actions = actionsOf(writer.steps());
  EXPECT_EQ(actions.back(), "write counter = 1");
}

TEST(Story, AnAccessThatTheRunEndedBeforeIsAhead) {
  RunWriter writer = created();
  writer.run().record.failure = FailureKind::Assertion;
  writer.add(1, EventKind::Read, kCounter).add(1, EventKind::Value, 0);
  writer.meets(1, EventKind::Read, kCounter, 1).meets(2, EventKind::Write, kCounter, 1);
  auto actions = actionsOf(writer.steps());
  EXPECT_EQ(actions[actions.size() - 2], "read counter = 0") << "nobody else came to touch it";
  EXPECT_EQ(actions.back(), "about to write counter");
}

TEST(Story, GoesOnAfterMainWhereTheAccessesMeetThere) {
  RunWriter writer = created();
  writer.add(0, EventKind::Exit, 0)
      .add(0, EventKind::Free, kCounter)
      .add(1, EventKind::Read, kCounter);
  writer.meets(0, EventKind::Free, kCounter, 1).meets(1, EventKind::Read, kCounter, 1);
  auto steps = writer.steps();
  EXPECT_EQ(steps[steps.size() - 2].action, "free counter");
  EXPECT_EQ(steps.back().action, "about to read counter");
}

TEST(Story, RoundsAreOneStepAndTheLastOneStays) {
  RunWriter writer = created();
  for (int i = 0; i < 1201; ++i)
    writer.add(1, EventKind::MutexLock, kLock, 2).add(1, EventKind::MutexUnlock, kLock, 2);
  auto actions = actionsOf(writer.steps());
  ASSERT_GE(actions.size(), 3u);
  EXPECT_EQ(actions[actions.size() - 3], "lock lock_ … unlock lock_ × 1,200");
  EXPECT_EQ(actions[actions.size() - 2], "lock lock_");
  EXPECT_EQ(actions.back(), "unlock lock_");
}

TEST(Story, AFewRoundsStayAsTheyAre) {
  RunWriter writer = created();
  for (int i = 0; i < 3; ++i)
    writer.add(1, EventKind::MutexLock, kLock, 2).add(1, EventKind::MutexUnlock, kLock, 2);
  auto actions = actionsOf(writer.steps());
  EXPECT_EQ(std::count(actions.begin(), actions.end(), "lock lock_"), 3);
}

RunWriter notifiedEarly() {
  RunWriter writer = created();
  writer.add(1, EventKind::MutexLock, kLock, 2)
      .add(1, EventKind::Read, kCounter)
      .add(1, EventKind::Value, 1);
  writer.add(2, EventKind::Write, kCounter).add(2, EventKind::Value, 0);
  writer.add(2, EventKind::CondBroadcast, kCondition, 2);
  writer.add(1, EventKind::CondWait, kCondition, 2).add(1, EventKind::MutexUnlock, kLock, 2);
  return writer.waits(1, kCondition);
}

TEST(MissedWakeup, ANotificationBetweenLookAndWaitCameTooEarly) {
  RunWriter writer = notifiedEarly();
  auto operations = readOperations(writer.run(), {});
  auto missed = findMissedWakeup(operations, writer.run().record);
  ASSERT_TRUE(missed);
  EXPECT_EQ(missed->waiter, 1u);
  EXPECT_EQ(operations[missed->notify].kind, EventKind::CondBroadcast);
  ASSERT_TRUE(missed->read && missed->change);
  EXPECT_EQ(operations[*missed->read].value, 1u);
  EXPECT_EQ(operations[*missed->change].value, 0u);
}

TEST(MissedWakeup, IsCalledSo) {
  RunWriter writer = notifiedEarly();
  CapturedRun failing;
  failing.record = writer.run().record;
  Finding finding = buildFinding(failing, failing.record, &writer.run(), 0);
  EXPECT_EQ(finding.kind, FindingKind::Deadlock);
  EXPECT_TRUE(finding.message.starts_with("missed wake-up: T1 waits for condition variable"))
      << finding.message;
  EXPECT_NE(finding.message.find("read counter = 1 (a.cpp:1)"), std::string::npos)
      << finding.message;
  ASSERT_TRUE(finding.failure && finding.failure->site);
  EXPECT_EQ(finding.failure->site->thread, 1u);
}

TEST(MissedWakeup, NobodyIsTooEarlyForAWaiterThatHasLookedAgain) {
  RunWriter writer = created();
  writer.add(2, EventKind::Write, kCounter).add(2, EventKind::CondSignal, kCondition, 2);
  writer.add(1, EventKind::MutexLock, kLock, 2).add(1, EventKind::Read, kCounter);
  writer.add(1, EventKind::CondWait, kCondition, 2).waits(1, kCondition);
  EXPECT_FALSE(findMissedWakeup(readOperations(writer.run(), {}), writer.run().record));
}

TEST(MissedWakeup, ANotificationOfSomethingElseIsNone) {
  RunWriter writer = created();
  writer.add(1, EventKind::MutexLock, kLock, 2).add(1, EventKind::Read, kCounter);
  writer.add(2, EventKind::Write, kCounter).add(2, EventKind::CondSignal, kOther, 2);
  writer.add(1, EventKind::CondWait, kCondition, 2).waits(1, kCondition);
  EXPECT_FALSE(findMissedWakeup(readOperations(writer.run(), {}), writer.run().record));
}

TEST(MissedWakeup, TheThreadThatWasWokenCouldNotUseIt) {
  RunWriter writer = created();
  writer.add(1, EventKind::CondWait, kCondition, 2).add(2, EventKind::CondWait, kCondition, 2);
  writer.add(0, EventKind::CondSignal, kCondition, 2).wakes(2);
  writer.add(2, EventKind::CondWake, kCondition, 2).add(2, EventKind::Read, kCounter);
  writer.add(2, EventKind::CondWait, kCondition, 2).waits(1, kCondition).waits(2, kCondition);
  auto missed = findMissedWakeup(readOperations(writer.run(), {}), writer.run().record);
  ASSERT_TRUE(missed);
  EXPECT_EQ(missed->waiter, 1u);
  EXPECT_EQ(missed->woken, 2u);
}

TEST(LateUse, ACrashIsTracedToTheFreeOfWhatTheThreadUsedLast) {
  RunWriter writer = created();
  writer.run().record.failure = FailureKind::Crash;
  writer.run().record.signal = SIGSEGV;
  writer.add(1, EventKind::Read, kCounter).add(2, EventKind::Free, kCounter, 2);
  writer.add(1, EventKind::Read, kPrivate);
  std::string text = lateUseText(writer.run(), nameObjects(writer.run()));
  EXPECT_NE(text.find("T1 did read counter (a.cpp:1)"), std::string::npos) << text;
  EXPECT_NE(text.find("T2 has freed that memory since (a.cpp:2)"), std::string::npos) << text;
  writer.run().record.failure = FailureKind::Assertion;
  EXPECT_EQ(lateUseText(writer.run(), nameObjects(writer.run())), "");
}

Finding semaphoreDeadlock() {
  Finding finding;
  finding.kind = FindingKind::Deadlock;
  ThreadInfo thread;
  thread.state = "blocked: waits for futex";
  thread.stack = {
      {"/usr/include/c++/12/bits/semaphore_base.h", 195, 2, "std::__atomic_semaphore::_M_acquire"},
      {"a.cpp", 3, 1, "main"}};
  finding.threads = {thread};
  return finding;
}

TEST(KnownIssues, ADeadlockInASemaphoreOfTheLibrary) {
  const KnownIssue* issue = knownIssueOf(semaphoreDeadlock());
  ASSERT_TRUE(issue);
  EXPECT_NE(knownIssueText(*issue).find("known defect of this library version"), std::string::npos);
  EXPECT_NE(knownIssueText(*issue).find("id=98033"), std::string::npos);
}

TEST(KnownIssues, NotWhereTheThreadHasEnded) {
  Finding finding = semaphoreDeadlock();
  finding.threads[0].state = "finished";
  EXPECT_FALSE(knownIssueOf(finding));
}

TEST(KnownIssues, ARaceIsOneOnlyWithBothAccessesInTheLibrary) {
  Finding finding;
  finding.kind = FindingKind::DataRace;
  FindingSite site;
  site.stack = {{"/usr/include/c++/12/bits/locale_facets.h", 900, 2, "std::ctype<char>::narrow"},
                {"a.cpp", 3, 1, "main"}};
  finding.sites = {site, site};
  ASSERT_TRUE(knownIssueOf(finding));
  EXPECT_EQ(knownIssueOf(finding)->kind, KnownIssue::Kind::Benign);
  finding.sites[1].stack.erase(finding.sites[1].stack.begin());
  EXPECT_FALSE(knownIssueOf(finding));
}

} // namespace
} // namespace heddle
