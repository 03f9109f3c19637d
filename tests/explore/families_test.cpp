// Exact numbers of classes: one complete run for each, and none that is abandoned.
#include "families.h"

#include "explore/search.h"
#include "machine.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace {

SearchCounters explore(const std::string& text, Equivalence equivalence) {
  SearchOptions options;
  options.equivalence = equivalence;
  options.rememberClasses = true;
  test::Program program = test::parse(text);
  Search search(options);
  while (auto task = search.next())
    search.report(task->number, test::execute(program, task->schedule));
  EXPECT_EQ(search.classes().size(), search.counters().complete);
  return search.counters();
}

void expectClasses(const std::string& text, uint64_t valueSchedules, uint64_t readsFrom) {
  SearchCounters value = explore(text, Equivalence::ValueSchedules);
  EXPECT_EQ(value.complete, valueSchedules);
  EXPECT_EQ(value.abandoned, 0u);
  SearchCounters reads = explore(text, Equivalence::ReadsFrom);
  EXPECT_EQ(reads.complete, readsFrom);
  EXPECT_EQ(reads.abandoned, 0u);
}

uint64_t power(uint64_t base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}
uint64_t factorial(int n) { return n <= 1 ? 1 : static_cast<uint64_t>(n) * factorial(n - 1); }

TEST(Families, Readers) {
  for (int n = 1; n <= 8; ++n)
    expectClasses(test::readers(n), power(2, n), power(2, n));
}

TEST(Families, Writers) {
  for (int n = 1; n <= 5; ++n) {
    expectClasses(test::writers(n, false), factorial(n), 1);
    expectClasses(test::writers(n, true), factorial(n), static_cast<uint64_t>(n));
  }
}

TEST(Families, FloatingRead) {
  for (int n = 1; n <= 5; ++n)
    expectClasses(test::floatingRead(n), factorial(n + 1), static_cast<uint64_t>(n) + 1);
}

TEST(Families, LastZero) {
  for (int n = 2; n <= 7; ++n) {
    uint64_t classes = (static_cast<uint64_t>(n) + 3) * power(2, n - 2);
    expectClasses(test::lastZero(n), classes, classes);
  }
}

TEST(Families, Increments) {
  for (int n = 1; n <= 4; ++n)
    expectClasses(test::increments(n), factorial(n) * factorial(n),
                  power(static_cast<uint64_t>(n) + 1, n - 1));
}

TEST(Families, AtomicAndLockedIncrements) {
  for (int n = 1; n <= 5; ++n) {
    expectClasses(test::atomicIncrements(n), factorial(n), factorial(n));
    expectClasses(test::lockedIncrements(n), factorial(n), factorial(n));
  }
}

TEST(Families, Fibonacci) {
  expectClasses(test::fibonacci(1), 11, 11);
  expectClasses(test::fibonacci(2), 140, 140);
  expectClasses(test::fibonacci(3), 1698, 1698);
}

TEST(Families, Philosophers) {
  for (int n = 2; n <= 7; ++n) {
    expectClasses(test::philosophers(n), power(2, n) - 1, power(2, n) - 1);
    EXPECT_EQ(explore(test::philosophers(n), Equivalence::ValueSchedules).blocked, 1u);
  }
}

TEST(Families, Reorder) {
  for (int n = 1; n <= 4; ++n) {
    auto more = static_cast<uint64_t>(n) + 1;
    expectClasses(test::reorder(n), factorial(n + 1) * factorial(n + 1), more * more);
  }
  EXPECT_EQ(explore(test::reorder(12), Equivalence::ReadsFrom).complete, 169u);
}

TEST(Families, Indexer) { expectClasses(test::indexer(13), 64, 64); }

TEST(Families, Filesystem) { expectClasses(test::filesystem(18), 32, 32); }

TEST(Figures, Accounts) {
  expectClasses(test::figure51(true), 9, 9);
  expectClasses(test::figure51(false), 9, 7);
  EXPECT_EQ(explore(test::figure51(true), Equivalence::ValueSchedules).failures, 4u);
  expectClasses(test::figure518(true), 60, 49);
  expectClasses(test::figure518(false), 60, 30);
}

TEST(Figures, Loops) {
  expectClasses(test::figure69(true), 9, 8);
  expectClasses(test::figure69(false), 9, 6);
  expectClasses(test::figure610(true), 34, 26);
  expectClasses(test::figure610(false), 34, 19);
}

} // namespace
} // namespace heddle::explore
