#include "static/points_to/contexts.h"

#include <gtest/gtest.h>

namespace heddle::analysis {
namespace {

int places[4];

TEST(Contexts, KeepTheInnermostElements) {
  Contexts contexts;
  ContextId one = contexts.push({&places[0], 0}, ContextId::Empty, 2);
  ContextId two = contexts.push({&places[1], 8}, one, 2);
  ContextId three = contexts.push({&places[2], 0}, two, 2);
  std::vector<ContextElement> expected = {{&places[2], 0}, {&places[1], 8}};
  EXPECT_EQ(contexts.elements(three), expected);
}

TEST(Contexts, KeepTheReceiverBehindCalls) {
  Contexts contexts;
  ContextId context = contexts.push({&places[0], 8}, ContextId::Empty, 2);
  for (int i = 1; i < 4; ++i)
    context = contexts.pushCall(&places[i], context, 2);
  std::vector<ContextElement> expected = {
      {&places[3], 0, true}, {&places[2], 0, true}, {&places[0], 8}};
  EXPECT_EQ(contexts.elements(context), expected);
}

TEST(Contexts, KeepTheLastCallsWithoutAReceiver) {
  Contexts contexts;
  ContextId context = ContextId::Empty;
  for (const int& place : places)
    context = contexts.pushCall(&place, context, 2);
  std::vector<ContextElement> expected = {{&places[3], 0, true}, {&places[2], 0, true}};
  EXPECT_EQ(contexts.elements(context), expected);
}

TEST(Contexts, AreOneForEqualElements) {
  Contexts contexts;
  ContextId one = contexts.push({&places[0], 0}, ContextId::Empty, 2);
  EXPECT_EQ(contexts.push({&places[0], 0}, ContextId::Empty, 2), one);
  EXPECT_NE(contexts.push({&places[0], 8}, ContextId::Empty, 2), one);
}

TEST(Contexts, AreEmptyAtDepthZero) {
  Contexts contexts;
  EXPECT_EQ(contexts.push({&places[0], 0}, ContextId::Empty, 0), ContextId::Empty);
}

TEST(Contexts, TruncateToTheFrontElements) {
  Contexts contexts;
  ContextId one = contexts.push({&places[0], 0}, ContextId::Empty, 3);
  ContextId two = contexts.push({&places[1], 0}, one, 3);
  ContextId front = contexts.push({&places[1], 0}, ContextId::Empty, 3);
  EXPECT_EQ(contexts.truncate(two, 1), front);
  EXPECT_EQ(contexts.truncate(two, 2), two);
}

} // namespace
} // namespace heddle::analysis
