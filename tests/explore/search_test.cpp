// The order of branches, saved searches, memory: none of it changes the set of classes.
#include "explore/search.h"
#include "families.h"
#include "machine.h"

#include <gtest/gtest.h>

#include <deque>

namespace heddle::explore {
namespace {

SearchOptions options(Equivalence equivalence, bool priorities = false) {
  SearchOptions options;
  options.equivalence = equivalence;
  options.usePriorities = priorities;
  options.rememberClasses = true;
  return options;
}

/// Programs that have something of everything.
std::vector<std::string> programs() {
  return {test::figure518(true), test::figure610(false),    test::lastZero(4),
          test::philosophers(4), test::lockedIncrements(4), test::fibonacci(2)};
}

std::set<uint64_t> classesOf(const std::string& text, SearchOptions options) {
  test::Program program = test::parse(text);
  Search search(options);
  while (auto task = search.next())
    search.report(task->number, test::execute(program, task->schedule));
  EXPECT_EQ(search.counters().duplicates, 0u);
  EXPECT_TRUE(search.isFinished());
  EXPECT_EQ(search.bytes(), 0u);
  return search.classes();
}

constexpr Equivalence kBoth[] = {Equivalence::ValueSchedules, Equivalence::ReadsFrom};

TEST(Search, PrioritiesDoNotChangeTheClasses) {
  for (const std::string& text : programs())
    for (Equivalence equivalence : kBoth)
      EXPECT_EQ(classesOf(text, options(equivalence)), classesOf(text, options(equivalence, true)));
}

TEST(Search, BatchesInAnyOrderDoNotChangeTheClasses) {
  for (const std::string& text : programs()) {
    test::Program program = test::parse(text);
    Search search(options(Equivalence::ValueSchedules, true));
    std::deque<Task> batch;
    while (!search.isFinished()) {
      while (batch.size() < 7) {
        auto task = search.next();
        if (!task)
          break;
        batch.push_back(std::move(*task));
      }
      Task task = search.counters().runs % 2 == 0 ? batch.front() : batch.back();
      search.counters().runs % 2 == 0 ? batch.pop_front() : batch.pop_back();
      search.report(task.number, test::execute(program, task.schedule));
    }
    EXPECT_EQ(search.classes(), classesOf(text, options(Equivalence::ValueSchedules)));
  }
}

TEST(Search, GoesOnAfterItWasKilled) {
  for (const std::string& text : programs())
    for (Equivalence equivalence : kBoth) {
      test::Program program = test::parse(text);
      std::vector<uint64_t> saved = Search(options(equivalence)).save();
      bool isFinished = false;
      uint64_t resumed = 0;
      while (!isFinished) {
        auto search = Search::resume(options(equivalence), saved);
        ASSERT_TRUE(search);
        ++resumed;
        for (int runs = 0; runs < 5; ++runs)
          if (auto task = search->next())
            search->report(task->number, test::execute(program, task->schedule));
        search->next(); // is on its way when the process ends
        saved = search->save();
        isFinished = search->isFinished();
        if (isFinished) {
          EXPECT_EQ(search->classes(), classesOf(text, options(equivalence)));
          EXPECT_EQ(search->counters().complete, search->classes().size());
        }
      }
      EXPECT_GT(resumed, 1u);
    }
}

TEST(Search, RefusesWhatIsNotASavedSearch) {
  Search search(options(Equivalence::ValueSchedules));
  test::Program program = test::parse(test::figure51(true));
  auto task = search.next();
  search.report(task->number, test::execute(program, task->schedule));
  auto words = search.save();
  EXPECT_TRUE(Search::resume(options(Equivalence::ValueSchedules), words));
  EXPECT_FALSE(Search::resume(options(Equivalence::ReadsFrom), words));
  for (size_t length = 0; length < words.size(); ++length)
    EXPECT_FALSE(Search::resume(options(Equivalence::ValueSchedules),
                                {words.begin(), words.begin() + static_cast<ptrdiff_t>(length)}));
  words[0] ^= 1;
  EXPECT_FALSE(Search::resume(options(Equivalence::ValueSchedules), words));
}

TEST(Search, SaysWhenItIsTooLarge) {
  SearchOptions small = options(Equivalence::ValueSchedules);
  small.memory = 100;
  Search search(small);
  EXPECT_TRUE(search.isTooLarge());
  small.memory = 1 << 20;
  EXPECT_FALSE(Search(small).isTooLarge());
}

/// Depth-first: the branches that wait do not grow with the classes.
TEST(Search, KeepsFewBranches) {
  test::Program program = test::parse(test::lastZero(8));
  Search search(options(Equivalence::ReadsFrom));
  size_t most = 0;
  while (auto task = search.next()) {
    search.report(task->number, test::execute(program, task->schedule));
    most = std::max(most, search.branches());
  }
  EXPECT_EQ(search.counters().complete, 11u * 64);
  EXPECT_LT(most, 100u);
}

uint64_t runsToFailure(const std::string& text, SearchOptions options) {
  test::Program program = test::parse(text);
  Search search(options);
  while (auto task = search.next()) {
    Run run = test::execute(program, task->schedule);
    search.report(task->number, run);
    if (!run.failure.empty())
      break;
  }
  return search.counters().runs;
}

/// Figure 6.4 of the thesis: depth-first order would begin with the locks.
TEST(Search, PrioritiesFindTheLostUpdateInTheSecondRun) {
  for (Equivalence equivalence : kBoth)
    EXPECT_EQ(runsToFailure(test::figure51(true), options(equivalence, true)), 2u);
}

/// Whether the second run has the write of `address` before the read of it.
bool secondRunWritesFirst(SearchOptions options, uint64_t address) {
  test::Program program = test::parse("spawn 1\nspawn 2\njoin 1\njoin 2\nthread 1\n"
                                      "read r0 100 1\nread r1 200 1\nthread 2\n"
                                      "write 100 1 1\nwrite 200 1 1\n");
  Search search(options);
  auto task = search.next();
  search.report(task->number, test::execute(program, task->schedule));
  Run run = test::execute(program, search.next()->schedule);
  for (const Operation& operation : run.operations)
    if (isData(operation.kind) && operation.address == address)
      return operation.kind == OperationKind::Write;
  return false;
}

TEST(Search, TheFocusComesFirst) {
  SearchOptions usual = options(Equivalence::ReadsFrom, true);
  EXPECT_FALSE(secondRunWritesFirst(usual, 100));
  EXPECT_TRUE(secondRunWritesFirst(usual, 200));
  SearchOptions focused = usual;
  focused.focus = {mix(2, 0)}; // thread 1, its first instruction
  EXPECT_TRUE(secondRunWritesFirst(focused, 100));
}

} // namespace
} // namespace heddle::explore
