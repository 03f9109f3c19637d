#include "synth/linearizability.h"

#include <gtest/gtest.h>

namespace heddle::synth::test {
namespace {

Outcome outcome(std::vector<std::string> results, std::vector<std::string> observations = {}) {
  return {std::move(results), std::move(observations), false};
}

TEST(SerialOrders, KeepTheOrderInEachThread) {
  EXPECT_EQ(serialOrders({1, 1}), (std::vector<SerialOrder>{{0, 1}, {1, 0}}));
  EXPECT_EQ(serialOrders({2, 1}), (std::vector<SerialOrder>{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}));
  EXPECT_EQ(serialOrders({2, 2}).size(), 6u);
  EXPECT_EQ(serialOrders({1, 1, 1}).size(), 6u);
  EXPECT_EQ(serialOrders({}), (std::vector<SerialOrder>{{}}));
}

TEST(LegalOutcomes, WhatNoSerialOrderGivesIsNotLinearizable) {
  LegalOutcomes legal;
  legal.add({0, 1}, outcome({"1", "2"}, {"size 2"}));
  legal.add({1, 0}, outcome({"2", "1"}, {"size 2"}));
  EXPECT_EQ(legal.judge(outcome({"2", "1"}, {"size 2"})), Linearity::Linearizable);
  EXPECT_EQ(legal.judge(outcome({"1", "1"}, {"size 2"})), Linearity::NotLinearizable);
  EXPECT_EQ(legal.judge(outcome({"1", "2"}, {"size 1"})), Linearity::NotLinearizable);
  EXPECT_EQ(legal.explain(outcome({"1", "1"}, {"size 1"})), "observed: 1 | 1 | size 1\n"
                                                            "threads 1 2: 1 | 2 | size 2\n"
                                                            "threads 2 1: 2 | 1 | size 2\n");
}

TEST(LegalOutcomes, ASerialOrderThatDiffersFromItselfDecidesNothing) {
  LegalOutcomes legal;
  legal.add({0, 1}, outcome({"1"}));
  legal.add({0, 1}, outcome({"7"}));
  legal.add({1, 0}, outcome({"2"}));
  EXPECT_FALSE(legal.isDeterministic());
  EXPECT_EQ(legal.judge(outcome({"9"})), Linearity::NotDecided);
  EXPECT_EQ(legal.judge(outcome({"7"})), Linearity::Linearizable);
}

TEST(LegalOutcomes, StuckIsAnOutcome) {
  LegalOutcomes legal;
  Outcome stuck;
  stuck.isStuck = true;
  legal.add({0, 1}, outcome({"1", "1"}));
  EXPECT_EQ(legal.judge(stuck), Linearity::NotLinearizable);
  legal.add({1, 0}, stuck); // a pop before the push
  EXPECT_EQ(legal.judge(stuck), Linearity::Linearizable);
  EXPECT_EQ(legal.outcomes().size(), 2u);
  EXPECT_EQ(stuck.text(), "stuck");
}

TEST(LegalOutcomes, WithoutSerialRunsNothingIsSaid) {
  EXPECT_EQ(LegalOutcomes().judge(outcome({"1"})), Linearity::NotDecided);
}

} // namespace
} // namespace heddle::synth::test
