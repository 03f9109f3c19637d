// The baselines: they come to the same classes, in more runs.
#include "explore/class_hash.h"
#include "explore/depth_first.h"
#include "explore/search.h"
#include "explore/source_dpor.h"
#include "families.h"
#include "machine.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace {

using Classes = std::set<uint64_t>;

uint64_t hashOf(const Run& run) {
  return classHash(Execution(run, {}), Equivalence::ValueSchedules);
}

Classes bySearch(const std::string& text) {
  SearchOptions options;
  options.equivalence = Equivalence::ValueSchedules;
  options.rememberClasses = true;
  test::Program program = test::parse(text);
  Search search(options);
  while (auto task = search.next())
    search.report(task->number, test::execute(program, task->schedule));
  return search.classes();
}

Classes byDepthFirst(const std::string& text, DepthFirst& search) {
  test::Program program = test::parse(text);
  Classes classes;
  while (auto schedule = search.next()) {
    Run run = test::execute(program, *schedule, test::Default::SameThread);
    classes.insert(hashOf(run));
    search.report(run);
  }
  return classes;
}

/// Also checks that no class has two complete runs.
Classes bySourceDpor(const std::string& text, SourceDpor& search) {
  test::Program program = test::parse(text);
  Classes classes;
  while (auto schedule = search.next()) {
    uint64_t blocked = search.blocked();
    Run run = test::execute(
        program, *schedule, [&](const auto& enabled) { return search.choose(enabled); },
        [&](const auto& enabled, const Operation& taken) { search.took(enabled, taken); });
    search.report(run);
    if (search.blocked() == blocked)
      EXPECT_TRUE(classes.insert(hashOf(run)).second);
  }
  return classes;
}

constexpr const char* kWaiter = R"(
spawn 1
spawn 2
join 1
join 2
thread 1
lock 1
wait 2 1
unlock 1
thread 2
notify_one 2
)";

constexpr const char* kTryLock = R"(
spawn 1
spawn 2
join 1
join 2
thread 1
trylock r0 1
if r0 == 1 2
read r1 9 1
unlock 1
thread 2
lock 1
write 9 1 1
unlock 1
)";

std::vector<std::string> programs() {
  return {test::figure69(false), test::figure69(true),      test::readers(2),
          test::increments(2),   test::atomicIncrements(2), test::lockedIncrements(2),
          test::philosophers(2), test::writers(2, true),    test::lastZero(2),
          std::string(kWaiter),  std::string(kTryLock)};
}

TEST(Baselines, DepthFirstSearchComesToAllClasses) {
  for (const std::string& text : programs()) {
    DepthFirst search;
    Classes classes = byDepthFirst(text, search);
    EXPECT_EQ(classes, bySearch(text));
    EXPECT_GE(search.runs(), classes.size());
  }
}

TEST(Baselines, PreemptionsAreBounded) {
  std::string text = test::increments(2);
  DepthFirst none(0u);
  EXPECT_EQ(byDepthFirst(text, none).size(), 2u); // one after the other, in both orders
  DepthFirst one(1u);
  EXPECT_EQ(byDepthFirst(text, one), bySearch(text));
  DepthFirst all;
  byDepthFirst(text, all);
  EXPECT_LT(none.runs(), one.runs());
  EXPECT_LT(one.runs(), all.runs());
}

TEST(Baselines, SourceDporHasOneRunPerClass) {
  auto texts = programs();
  for (const std::string& more :
       {test::figure51(true), test::readers(4), test::lockedIncrements(3), test::philosophers(4),
        test::lastZero(4), test::fibonacci(1), test::increments(3)})
    texts.push_back(more);
  for (const std::string& text : texts) {
    SourceDpor search;
    Classes classes = bySourceDpor(text, search);
    EXPECT_EQ(classes, bySearch(text)) << text;
    EXPECT_EQ(search.complete(), classes.size());
  }
}

} // namespace
} // namespace heddle::explore
