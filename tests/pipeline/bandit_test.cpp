#include "pipeline/stages/bandit.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// Turns of each arm, when a turn of each gives what `reward` says.
template <typename Reward>
std::vector<int> play(Bandit& bandit, const std::vector<bool>& allowed, int turns, Reward reward) {
  std::vector<int> counts(allowed.size());
  for (int turn = 0; turn < turns; ++turn) {
    size_t arm = bandit.choose(allowed);
    ++counts[arm];
    bandit.note(arm, reward(arm, turn));
  }
  return counts;
}

TEST(Bandits, TryEverybodyFirst) {
  Bandit bandit(3);
  std::vector<int> counts =
      play(bandit, {true, true, true}, 3, [](size_t arm, int) { return arm == 0 ? 1 : 0; });
  EXPECT_EQ(counts, (std::vector<int>{1, 1, 1}));
}

TEST(Bandits, PreferWhatGivesMoreAndKeepTryingTheRest) {
  Bandit bandit(3);
  std::vector<int> counts =
      play(bandit, {true, true, true}, 60, [](size_t arm, int) { return arm == 1 ? 0.9 : 0.1; });
  EXPECT_GT(counts[1], counts[0] + counts[2]);
  EXPECT_GT(counts[0], 3);
  EXPECT_GT(counts[2], 3);
}

TEST(Bandits, FollowWhenAnotherOneBecomesBetter) {
  Bandit bandit(2);
  play(bandit, {true, true}, 40, [](size_t arm, int) { return arm == 0 ? 1 : 0; });
  std::vector<int> counts =
      play(bandit, {true, true}, 40, [](size_t arm, int) { return arm == 0 ? 0 : 1; });
  EXPECT_GT(counts[1], counts[0]);
}

TEST(Bandits, ChooseOnlyThoseThatMayBe) {
  Bandit bandit(3);
  std::vector<int> counts = play(bandit, {false, true, false}, 10, [](size_t, int) { return 0.0; });
  EXPECT_EQ(counts, (std::vector<int>{0, 10, 0}));
}

} // namespace
} // namespace heddle
