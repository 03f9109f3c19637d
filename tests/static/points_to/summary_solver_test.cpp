#include "static/points_to/summary_solver.h"

#include "../analysed.h"

#include <gtest/gtest.h>

#include <map>

namespace heddle::analysis {
namespace {

/// main calls middle, which calls leaf; even and odd call each other.
constexpr const char* kProgram = R"(
  define void @leaf() {
    ret void
  }
  define void @middle() {
    call void @leaf()
    ret void
  }
  define void @even() {
    call void @odd()
    ret void
  }
  define void @odd() {
    call void @even()
    ret void
  }
  define i32 @main() {
    call void @middle()
    call void @even()
    ret i32 0
  }
)";

class SummarySolverTest : public testing::Test {
protected:
  Names namesOf(const std::vector<InstanceId>& instances) const {
    Names names;
    for (InstanceId each : instances)
      names.insert(nameOf(each));
    return names;
  }
  std::string nameOf(InstanceId id) const {
    return program_.pointsTo().instance(id).body->function->getName().str();
  }

  Analysed program_{kProgram};
};

TEST_F(SummarySolverTest, LooksAtCallersAgain) {
  std::map<std::string, int> heights, looks;
  bool settled =
      SummarySolver(program_.graph())
          .solve(withCallers(program_.graph(), [&](InstanceId id) { return nameOf(id) == "leaf"; }),
                 [&](InstanceId id) {
                   int height = 1;
                   for (const CallEdge& edge : program_.graph().calls(id))
                     height = std::max(height, heights[nameOf(edge.callee)] + 1);
                   ++looks[nameOf(id)];
                   return std::exchange(heights[nameOf(id)], height) != height;
                 });
  EXPECT_TRUE(settled);
  EXPECT_EQ(heights["leaf"], 1);
  EXPECT_EQ(heights["middle"], 2);
  EXPECT_EQ(heights["main"], 3);
  EXPECT_EQ(looks.count("even"), 0u); // main depends on it, not the other way
}

TEST_F(SummarySolverTest, SaysWhenItDoesNotSettle) {
  auto circle = withCallers(program_.graph(), [&](InstanceId id) { return nameOf(id) == "odd"; });
  EXPECT_FALSE(SummarySolver(program_.graph()).solve(circle, [](InstanceId) { return true; }));
  EXPECT_TRUE(SummarySolver(program_.graph()).solve(circle, [](InstanceId) { return false; }));
}

TEST_F(SummarySolverTest, LooksAtDependentsAgain) {
  InstanceId middle = program_.instanceOf("middle");
  InstanceId leaf = program_.instanceOf("leaf");
  Names looked;
  SummarySolver(program_.graph())
      .solve(
          std::span(&middle, 1),
          [&](InstanceId id) {
            looked.insert(nameOf(id));
            return id == middle && looked.size() == 1;
          },
          [&](InstanceId) { return std::span<const InstanceId>(&leaf, 1); });
  EXPECT_EQ(looked, (Names{"leaf", "main", "middle"}));
}

TEST_F(SummarySolverTest, FindsCallers) {
  auto ofMiddle =
      withCallers(program_.graph(), [&](InstanceId id) { return nameOf(id) == "middle"; });
  EXPECT_EQ(namesOf(ofMiddle), (Names{"main", "middle"}));
  EXPECT_EQ(namesOf(allInstances(program_.graph())),
            (Names{"even", "leaf", "main", "middle", "odd"}));
}

} // namespace
} // namespace heddle::analysis
