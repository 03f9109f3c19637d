#include "describe/library_names.h"
#include "run_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

namespace heddle {
namespace {

TEST(Operations, ValuesBelongToTheAccessBefore) {
  RunWriter writer;
  writer.add(1, EventKind::Read, kCounter)
      .add(1, EventKind::Value, 7)
      .add(1, EventKind::Write, kCounter)
      .add(2, EventKind::Read, kCounter)
      .add(2, EventKind::Value, 7)
      .add(1, EventKind::Value, 8);
  auto operations = readOperations(writer.run(), {});
  ASSERT_EQ(operations.size(), 3u);
  EXPECT_EQ(operations[0].value, 7u);
  EXPECT_EQ(operations[1].value, 8u) << "a write's value comes later";
  EXPECT_EQ(operations[2].value, 7u);
  EXPECT_EQ(operations[2].number, 3u);
}

TEST(Operations, ASecondEventTellsTheOutcome) {
  RunWriter writer;
  writer.add(1, EventKind::MutexLock, kLock, 2)
      .add(1, EventKind::MutexLock, kLock, 2, EBUSY)
      .add(2, EventKind::MutexUnlock, kLock, 2)
      .add(1, EventKind::MutexLock, kLock, 2)
      .add(1, EventKind::MutexLock, kLock, 2)
      .add(1, EventKind::MutexTryLock, kLock, 2)
      .add(1, EventKind::MutexTryLock, kLock, 2)
      .add(1, EventKind::MutexTryLock, kLock, 2)
      .add(1, EventKind::MutexTryLock, kLock, 2, EBUSY);
  auto operations = readOperations(writer.run(), {});
  ASSERT_EQ(operations.size(), 6u);
  EXPECT_EQ(operations[0].result, unsigned{EBUSY}) << "it waits";
  EXPECT_EQ(operations[2].result, 0u) << "it got the lock";
  EXPECT_EQ(operations[3].result, 0u) << "a recursive lock is an operation of its own";
  EXPECT_EQ(operations[4].result, 0u);
  EXPECT_EQ(operations[5].result, unsigned{EBUSY});
}

TEST(Interleaving, NamesThreadsThatAreCreatedAndJoined) {
  RunWriter writer;
  writer.add(0, EventKind::ThreadCreate, 0, 2)
      .add(0, EventKind::ThreadCreate, 0x5000, 2)
      .add(1, EventKind::ThreadStart, 0x5000, 0)
      .add(0, EventKind::ThreadJoin, 0x5000, 2)
      .add(0, EventKind::ThreadJoin, 0x5000, 2, EBUSY);
  std::vector<Step> steps = writer.steps();
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].action, "create T1");
  EXPECT_EQ(steps[1].action, "start");
  EXPECT_EQ(steps[2].action, "join T1");
  EXPECT_EQ(steps[2].value, "(waits)");
}

TEST(Operations, DecisionsMarkTheSwitchesThatTheyMade) {
  RunWriter writer;
  writer.add(0, EventKind::Write, kCounter)
      .add(1, EventKind::Write, kCounter)
      .add(0, EventKind::Write, kCounter)
      .add(1, EventKind::Write, kCounter);
  std::vector<Decision> decisions = {{childPath(ThreadPath::Main, 1), static_cast<SiteIdentity>(1),
                                      ThreadPath::Main, 1, DecisionKind::Switch}};
  auto operations = readOperations(writer.run(), decisions);
  EXPECT_FALSE(operations[1].switched);
  EXPECT_TRUE(operations[2].switched);
  EXPECT_FALSE(operations[3].switched);
}

TEST(Interleaving, ShowsWhatSeveralThreadsTouch) {
  RunWriter writer;
  writer.add(1, EventKind::Read, kCounter)
      .add(1, EventKind::Value, 0)
      .add(1, EventKind::Write, kPrivate)
      .add(2, EventKind::Write, kCounter)
      .add(2, EventKind::Value, 1)
      .add(1, EventKind::Write, kCounter)
      .add(1, EventKind::Value, 0xffffffff);
  std::vector<Step> steps = writer.steps();
  ASSERT_EQ(steps.size(), 3u) << "the private write says nothing";
  EXPECT_EQ(steps[0].action, "read counter");
  EXPECT_EQ(steps[0].value, "= 0");
  EXPECT_EQ(steps[1].thread, 2u);
  EXPECT_EQ(steps[2].value, "= -1");
  EXPECT_EQ(steps[2].location.file, "a.cpp");
}

TEST(Interleaving, MemoryThatIsOnlyReadIsNotShown) {
  RunWriter writer;
  writer.add(1, EventKind::Read, kCounter).add(2, EventKind::Read, kCounter);
  EXPECT_TRUE(writer.steps().empty());
}

TEST(Interleaving, WhatWasHandedOverAtCreationIsNotShared) {
  RunWriter writer;
  writer.add(0, EventKind::Write, kPrivate)
      .add(0, EventKind::ThreadCreate, 0x5000, 2)
      .add(0, EventKind::Write, kCounter)
      .add(1, EventKind::ThreadStart, 0x5000, 0)
      .add(1, EventKind::Write, kPrivate)
      .add(1, EventKind::Write, kCounter);
  std::vector<Step> steps = writer.steps();
  auto shown = [&](uint64_t number) {
    return std::any_of(steps.begin(), steps.end(),
                       [&](const Step& step) { return step.index == number; });
  };
  EXPECT_FALSE(shown(1));
  EXPECT_FALSE(shown(5));
  EXPECT_TRUE(shown(3)) << "after the creation, although before the thread ran";
  EXPECT_TRUE(shown(6));
}

TEST(Interleaving, SyncOperationsNameTheirObject) {
  RunWriter writer;
  writer.add(1, EventKind::MutexLock, kLock, 2)
      .add(1, EventKind::Write, kCounter)
      .add(2, EventKind::Write, kCounter)
      .add(1, EventKind::MutexUnlock, kLock, 3);
  std::vector<Step> steps = writer.steps();
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0].action, "lock lock_");
  EXPECT_EQ(steps[3].action, "unlock lock_") << "named by the other site that touched it";
}

TEST(Interleaving, TheMutexOfAWaitHasItsOwnName) {
  constexpr uint64_t condition = 0x40000; // site 1 calls it "counter"
  RunWriter run;
  run.add(1, EventKind::MutexLock, kLock, 2).add(1, EventKind::CondWait, condition, 1);
  run.add(1, EventKind::MutexUnlock, kLock, 1).add(2, EventKind::MutexLock, kLock, 2);
  run.add(2, EventKind::CondSignal, condition, 1).add(2, EventKind::MutexUnlock, kLock, 2);
  run.add(1, EventKind::CondWake, condition, 1).add(1, EventKind::MutexLock, kLock, 1);
  std::vector<std::string> actions;
  for (const Step& step : run.steps())
    actions.push_back(step.action);
  EXPECT_EQ(actions, (std::vector<std::string>{"lock lock_", "wait counter", "unlock lock_",
                                               "lock lock_", "signal counter", "unlock lock_",
                                               "woken counter", "lock lock_"}));
}

TEST(Interleaving, ObjectsWithTheSameNameAreNumbered) {
  RunWriter writer;
  writer.add(1, EventKind::MutexLock, kLock, 2)
      .add(2, EventKind::MutexLock, kLock + 64, 2)
      .add(1, EventKind::MutexLock, kLock + 64, 2);
  ObjectNames names = nameObjects(writer.run());
  EXPECT_EQ(names.name(kLock), "lock_ #1");
  EXPECT_EQ(names.name(kLock + 64), "lock_ #2");
  EXPECT_EQ(names.numbered(kLock + 64, "lock_"), "lock_ #2");
  EXPECT_EQ(names.numbered(kLock, "other"), "other");
}

TEST(Interleaving, LibrarySitesAreShownAsTheirCaller) {
  RunWriter writer;
  writer.add(1, EventKind::Write, kCounter)
      .add(2, EventKind::Write, kCounter)
      .add(1, EventKind::Call, 0, 2)
      .add(1, EventKind::MutexUnlock, kLock, 3);
  std::vector<Step> steps = writer.steps();
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[2].location.file, "a.cpp");
  EXPECT_EQ(steps[2].location.line, 2u);
}

TEST(Interleaving, AJoinNamesTheThreadAlsoWhenItsFiberHasAnother) {
  RunWriter run;
  run.add(1, EventKind::ThreadStart, 0x5000, 0).add(0, EventKind::ThreadJoin, 0x5000, 2).about(1);
  run.add(2, EventKind::ThreadStart, 0x5000, 0).add(0, EventKind::ThreadJoin, 0x5000, 2).about(2);
  run.add(0, EventKind::ThreadJoin, 0, 2, ESRCH);
  std::vector<Step> steps = run.steps();
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[1].action, "join T1");
  EXPECT_EQ(steps[3].action, "join T2");
  EXPECT_EQ(steps[3].value, "(No such process)") << "it was gone when its turn came";
}

TEST(Interleaving, NotificationsSayWhomTheyWake) {
  RunWriter run;
  run.add(1, EventKind::CondSignal, kLock, 2);
  run.add(1, EventKind::CondSignal, kLock, 2).wakes(2);
  run.add(1, EventKind::CondBroadcast, kLock, 2).wakes(0).wakes(2);
  run.add(1, EventKind::MutexUnlock, kLock, 2);
  std::vector<Step> steps = run.steps();
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0].value, "(wakes nobody)");
  EXPECT_EQ(steps[1].value, "(wakes T2)");
  EXPECT_EQ(steps[2].value, "(wakes T0, T2)");
}

TEST(Interleaving, AccessesOfOneLibraryCallAreOneStep) {
  RunWriter run;
  run.inLibrary(1, EventKind::Read, kCounter).inLibrary(1, EventKind::Read, kCounter + 8);
  run.inLibrary(1, EventKind::Write, kCounter);
  run.inLibrary(2, EventKind::Read, kCounter).add(2, EventKind::Value, 0x102000014000);
  run.inLibrary(2, EventKind::Write, kCounter + 8, 2);
  std::vector<Step> steps = run.steps();
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].action, "write items_");
  EXPECT_EQ(steps[0].value, "(3 accesses)");
  EXPECT_EQ(steps[0].location.line, kCall);
  EXPECT_EQ(steps[1].action, "read items_");
  EXPECT_EQ(steps[1].value, "") << "a container's pointer is not its value";
}

TEST(Interleaving, LibraryMemoryBelongsToWhatMostCallsAreAbout) {
  RunWriter run;
  run.inLibrary(1, EventKind::Write, kCounter, 2).inLibrary(1, EventKind::Read, kCounter);
  ObjectNames names = nameObjects(run.run());
  EXPECT_EQ(names.owner(kCounter), "lock_") << "of equals the first";
  run.inLibrary(2, EventKind::Read, kCounter, 1).inLibrary(2, EventKind::Read, kCounter);
  EXPECT_EQ(nameObjects(run.run()).owner(kCounter), "lock_") << "calls count once";
  EXPECT_EQ(nameObjects(run.run()).owner(kPrivate), "");
}

TEST(Interleaving, SyncOperationsAreKeptBeforeAccessesOfLibraries) {
  RunWriter run;
  run.add(1, EventKind::MutexLock, kLock, 2).add(1, EventKind::MutexUnlock, kLock, 2);
  for (unsigned i = 0; i < 40; ++i)
    run.inLibrary(1 + i % 2, EventKind::Write, kCounter);
  std::vector<Step> steps = run.steps(10);
  ASSERT_GE(steps.size(), 10u);
  EXPECT_EQ(steps[0].action, "lock lock_");
  EXPECT_EQ(steps[1].action, "unlock lock_");
}

TEST(Interleaving, ASwitchToAThreadThatDoesNothingSharedIsShown) {
  RunWriter run;
  run.add(0, EventKind::MutexLock, kLock, 2)
      .add(1, EventKind::Write, kPrivate)
      .add(0, EventKind::MutexUnlock, kLock, 2);
  std::vector<Decision> decisions = {{ThreadPath::Main, static_cast<SiteIdentity>(2),
                                      childPath(ThreadPath::Main, 1), 1, DecisionKind::Switch}};
  std::vector<Step> steps = run.steps(40, decisions);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[1].thread, 1u);
  EXPECT_TRUE(steps[1].switched);
}

TEST(Interleaving, WhatOneThreadInitialisesIsNotShown) {
  RunWriter run;
  run.add(0, EventKind::OnceBegin, 0x900).add(0, EventKind::OnceEnd, 0x900);
  run.add(0, EventKind::MutexLock, 0x910, 2);
  run.add(0, EventKind::ThreadCreate, 0x7000).add(1, EventKind::ThreadStart, 0x7000);
  run.add(0, EventKind::OnceBegin, 0x920).add(0, EventKind::OnceEnd, 0x920);
  run.add(1, EventKind::OnceBegin, 0x920);
  run.add(1, EventKind::OnceBegin, 0x930).add(1, EventKind::OnceEnd, 0x930);
  std::vector<std::string> actions;
  for (const Step& step : run.steps())
    actions.push_back(step.action);
  auto shows = [&](const char* word) {
    return std::count_if(actions.begin(), actions.end(),
                         [&](const std::string& text) { return text.starts_with(word); });
  };
  EXPECT_EQ(shows("lock"), 1);
  EXPECT_EQ(shows("once"), 3) << "those that two threads come by";
}

TEST(Interleaving, OfWhatComesBeforeTheFirstThreadOnlyTheLastValueIsShown) {
  RunWriter run;
  run.add(0, EventKind::Write, kCounter).add(0, EventKind::Read, kCounter);
  run.add(0, EventKind::Write, kCounter, 5); // 5 tells it from the first one
  run.add(0, EventKind::Read, kCounter);
  run.add(0, EventKind::ThreadCreate, 0x7000).add(1, EventKind::ThreadStart, 0x7000);
  run.add(1, EventKind::Write, kCounter).add(0, EventKind::Read, kCounter);
  std::vector<unsigned> lines;
  for (const Step& step : run.steps())
    if (step.action.find("counter") != std::string::npos || step.location.line == 5)
      lines.push_back(step.location.line);
  EXPECT_EQ(lines, (std::vector<unsigned>{5, 1, 1}));
}

TEST(Interleaving, WhatRepeatsIsOneStep) {
  RunWriter run;
  for (int i = 0; i < 30; ++i)
    run.add(1, EventKind::Sleep, 0, 2).add(1, EventKind::ClockRead, 0, 2);
  std::vector<Step> steps = run.steps();
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].value, "(30 times)");
}

TEST(Interleaving, NothingIsShownAfterMainsEndUnlessTheFailureIsThere) {
  RunWriter run;
  run.add(0, EventKind::Exit, 0, 2).add(1, EventKind::MutexLock, kLock, 2);
  EXPECT_EQ(run.steps().size(), 2u);
  run.run().record.failure = FailureKind::ExitStatus;
  EXPECT_EQ(run.steps().size(), 1u);
}

TEST(LibraryNames, MembersOfTheLibraryAreItsPublicClasses) {
  EXPECT_EQ(publicName("std::_Deque_iterator::_M_cur"), "std::deque");
  EXPECT_EQ(publicName("std::_Deque_iterator<int, int&, int*>::_M_cur"), "std::deque");
  EXPECT_EQ(publicName("std::_Vector_base::_Vector_impl_data::_M_finish"), "std::vector");
  EXPECT_EQ(publicName("std::__atomic_base<int>::_M_i"), "std::atomic");
  EXPECT_EQ(publicName("std::__detail::_Hash_node_base::_M_nxt"),
            "std::unordered_map or std::unordered_set");
  EXPECT_EQ(publicName("__atomic_flag_base::_M_i"), "std::atomic_flag");
  EXPECT_EQ(publicName("std::__cxx11::basic_string::_M_string_length"), "std::basic_string");
  EXPECT_EQ(publicName("std::thread::_M_id"), "std::thread");
  EXPECT_EQ(publicName("*__p"), "");
  EXPECT_EQ(publicName("std::_Unheard_of::_M_x"), "");
}

TEST(LibraryNames, TheUsersNamesStayAsTheyAre) {
  for (const char* name : {"counter", "Queue::items_", "table[]", "*node", "a_Z", "T<_B>::member"})
    EXPECT_EQ(publicName(name), name);
  EXPECT_EQ(publicName("Queue::items_._M_impl"), "Queue::items_");
}

TEST(Interleaving, KeepsTheEndAndSaysWhatIsLeftOut) {
  RunWriter writer;
  for (int i = 0; i < 500; ++i)
    writer.add(i % 2 + 1, EventKind::Write, kCounter);
  std::vector<Step> steps = writer.steps(10);
  ASSERT_EQ(steps.size(), 11u);
  EXPECT_EQ(steps[0].action, "… 490 steps");
  EXPECT_EQ(steps.back().index, 500u);
}

TEST(Interleaving, TheFailingThreadsObjectsComeFirst) {
  RunWriter writer;
  // Objects that others share early on, the counter of the failing thread last.
  writer.add(1, EventKind::Write, kCounter).add(2, EventKind::Write, kCounter);
  for (uint64_t i = 0; i < 100; ++i)
    writer.add(0, EventKind::Write, kPrivate + 8 * i).add(2, EventKind::Write, kPrivate + 8 * i);
  writer.add(1, EventKind::Read, kCounter);
  std::vector<Step> steps = writer.steps(12);
  auto counters = std::count_if(steps.begin(), steps.end(), [](const Step& step) {
    return step.index <= 2 || step.index == 203;
  });
  EXPECT_EQ(counters, 3);
}

TEST(Interleaving, ADeadlockIsAboutItsLocks) {
  RunWriter writer;
  writer.run().record.failure = FailureKind::Deadlock;
  for (uint32_t i = 1; i < 3; ++i) {
    ThreadDetail& thread = writer.run().record.threads[i];
    thread.state = ThreadState::Blocked;
    thread.wait = WaitKind::Mutex;
    thread.waitObject = kLock + 64 * i;
    thread.held[0].object = kLock + 64 * (3 - i);
    thread.heldCount = 1;
  }
  for (int i = 0; i < 50; ++i)
    writer.add(1, EventKind::Write, kCounter).add(2, EventKind::Write, kCounter);
  writer.add(1, EventKind::MutexLock, kLock + 128, 2).add(2, EventKind::MutexLock, kLock + 64, 2);
  std::vector<Step> steps = writer.steps(2);
  ASSERT_GE(steps.size(), 2u);
  EXPECT_EQ(steps[steps.size() - 1].index, 102u);
  EXPECT_EQ(steps[steps.size() - 2].index, 101u);
}

} // namespace
} // namespace heddle
