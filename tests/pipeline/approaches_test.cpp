#include "pipeline/forcing/approaches.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

Candidate race(size_t examples) {
  Candidate candidate;
  candidate.kind = TargetKind::Race;
  candidate.sides = {{static_cast<SiteIdentity>(10), SiteIdentity::None},
                     {static_cast<SiteIdentity>(20), SiteIdentity::None}};
  for (uint64_t i = 0; i < examples; ++i) {
    CandidateExample example;
    example.leader = 1;
    example.sides = {{static_cast<ThreadPath>(100 + i), 0x1000, 3, 0},
                     {static_cast<ThreadPath>(200 + i), 0x1000, 5, 0}};
    candidate.examples.push_back(example);
  }
  return candidate;
}

TEST(Approaches, BeginWithTheExampleAndItsLeader) {
  Approaches approaches(race(1));
  const Approach& first = approaches.at(approaches.next());
  EXPECT_EQ(first.holding, Holding::Moment);
  ASSERT_EQ(first.exampleCount, 2u);
  EXPECT_EQ(first.leader, 1u);
  EXPECT_EQ(first.examples[0].role, 0u);
  EXPECT_EQ(first.examples[1].role, 1u);
  EXPECT_EQ(first.examples[1].occurrence, 5u);
}

TEST(Approaches, HoldEverybodyWithoutAnExample) {
  Approaches approaches(race(0));
  EXPECT_EQ(approaches.at(approaches.next()).holding, Holding::Everybody);
}

TEST(Approaches, StayWithWhatWorks) {
  Approaches approaches(race(2));
  size_t first = approaches.next();
  approaches.note(first, 4, 4);
  EXPECT_EQ(approaches.next(), first);
  approaches.note(first, 4, 3);
  EXPECT_EQ(approaches.next(), first);
}

TEST(Approaches, TryTheOthersWhenOneOftenFailsAndTakeTheBest) {
  Approaches approaches(race(2));
  std::vector<size_t> tried;
  for (size_t i = 0; i < approaches.count(); ++i) {
    size_t way = approaches.next();
    tried.push_back(way);
    approaches.note(way, 4, i == 2 ? 2 : 1);
  }
  std::sort(tried.begin(), tried.end());
  EXPECT_EQ(std::unique(tried.begin(), tried.end()), tried.end()) << "one was tried twice";
  size_t best = approaches.next();
  approaches.note(best, 4, 2);
  EXPECT_EQ(approaches.next(), best);
}

TEST(Approaches, GoOnWithAllWhenNoneWorks) {
  Approaches approaches(race(1));
  std::vector<uint64_t> runs(approaches.count());
  for (size_t i = 0; i < 3 * approaches.count(); ++i) {
    size_t way = approaches.next();
    runs[way] += 4;
    approaches.note(way, 4, 0);
  }
  EXPECT_EQ(*std::min_element(runs.begin(), runs.end()), 12u);
  EXPECT_EQ(*std::max_element(runs.begin(), runs.end()), 12u);
}

TEST(Approaches, EqualSidesOfACycleAreOneRole) {
  Candidate cycle;
  cycle.kind = TargetKind::LockCycle;
  cycle.sides.assign(3, {static_cast<SiteIdentity>(10), SiteIdentity::None});
  CandidateExample example;
  for (uint64_t i = 0; i < 3; ++i)
    example.sides.push_back({static_cast<ThreadPath>(100 + i), 0x1000 + i, 0, 0});
  cycle.examples.push_back(example);
  Approaches approaches(cycle);
  const Approach& first = approaches.at(approaches.next());
  EXPECT_EQ(first.holding, Holding::Object); // times are not known
  EXPECT_EQ(first.exampleCount, 3u);
  for (uint32_t i = 0; i < first.exampleCount; ++i)
    EXPECT_EQ(first.examples[i].role, 0u);
  EXPECT_GE(first.leader, first.exampleCount);
}

} // namespace
} // namespace heddle::test
