#include "account.h"
#include "synth/torn_calls.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::synth::test {
namespace {

std::set<std::string> outcomeTests(const SeedTrace& trace, Contract contract) {
  std::set<std::string> texts;
  SynthesisOptions options;
  options.contract = contract;
  options.outcomes = true;
  for (const SynthesizedTest& test : synthesize(trace, options).tests)
    if (test.aim == Aim::Outcome)
      texts.insert(test.text);
  return texts;
}

/// withdraw looks under the lock and takes under it again; deposit holds it once.
TEST(TornCalls, ACallThatLocksTwiceIsTestedWithWhatCanComeInBetween) {
  Account seed;
  seed.sequentialTest();
  EXPECT_EQ(outcomeTests(seed.trace, Contract::ThreadSafe),
            (std::set<std::string>{"account1.withdraw(4) || account1.deposit(7)",
                                   "account1.withdraw(4) || account1.withdraw(4)"}));
}

TEST(TornCalls, AClassWithAMutexLooksThreadSafe) {
  Account seed;
  seed.sequentialTest();
  EXPECT_TRUE(looksThreadSafe(seed.trace.types, seed.account));
  EXPECT_FALSE(looksThreadSafe(seed.trace.types, seed.log));
  EXPECT_EQ(outcomeTests(seed.trace, Contract::AsItLooks).size(), 2u);
  EXPECT_TRUE(outcomeTests(seed.trace, Contract::Basic).empty());
}

} // namespace
} // namespace heddle::synth::test
