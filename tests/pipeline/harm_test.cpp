#include "fake_command.h"

#include "pipeline/judging/harm.h"

namespace heddle {
namespace {

class Harm : public StoreTest {
protected:
  /// The only failure of forced runs.
  static ForcedFailure& addFailure(ForcedCandidate& forced, const std::string& cause,
                                   uint32_t orders, uint64_t count, bool met) {
    ForcedFailure& failure = forced.failures[cause];
    failure.orders = orders;
    failure.count = count;
    failure.met = met;
    failure.metCount = met ? count : 0;
    failure.run.record.result.seed = 77;
    return failure;
  }

  static ForcedCandidate race() {
    Candidate candidate;
    candidate.kind = TargetKind::Race;
    return ForcedCandidate(candidate);
  }
};

struct Row {
  const char* what;
  uint32_t orders;     ///< in which it failed
  uint64_t failures;   ///< of 20 runs in its order
  uint64_t otherOrder; ///< runs that showed the other order only
  bool met;            ///< the sides met before it failed
  bool fails;          ///< the control runs have failed from the same cause
  bool harmful;        ///< what must come out
  bool saysWhichOrder;
};

TEST_F(Harm, OfARaceIsWhatFailsWithItAndNotWithoutIt) {
  const Row rows[] = {
      {"one order fails, the other never", kFirstRoleFirst, 20, 20, true, false, true, true},
      {"the same, although it also fails without", kFirstRoleFirst, 20, 20, true, true, true, true},
      {"the other order was seen too seldom", kFirstRoleFirst, 20, 19, true, false, true, false},
      {"it is so seldom that it may be chance", kFirstRoleFirst, 1, 20, true, false, true, false},
      {"both orders fail", kFirstRoleFirst | kSecondRoleFirst, 20, 20, true, false, true, false},
      {"both fail, and so do runs without", kFirstRoleFirst | kSecondRoleFirst, 20, 20, true, true,
       false, false},
      {"it failed before the sides met", kFirstRoleFirst, 20, 20, false, false, false, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    CommandContext context(fakeProgram({row.fails ? "fail=5" : "fail=1000"}), quickOptions(100),
                           nullptr);
    ControlRuns controls(context);
    auto without = controls.failuresWithoutRaces(/*timeAny=*/false);
    ASSERT_TRUE(without) << without.error().message;
    ASSERT_TRUE(*without);
    ASSERT_EQ((*without)->size(), row.fails ? 1u : 0u);
    ForcedCandidate forced = race();
    forced.met = 40;
    forced.orders[0] = {20, row.failures};
    forced.onlyOrder[1] = {row.otherOrder, 0};
    addFailure(forced, row.fails ? *(*without)->begin() : "crash", row.orders, row.failures,
               row.met);
    auto judged = judgeHarm(forced, controls);
    ASSERT_TRUE(judged) << judged.error().message;
    EXPECT_EQ(judged->harmful, row.harmful);
    EXPECT_EQ(judged->failingOrder.has_value(), row.saysWhichOrder);
    EXPECT_EQ(judged->run.record.result.seed, row.met ? 77u : 0u) << "the run that shows it";
  }
}

TEST_F(Harm, NothingFailedIsNoHarm) {
  CommandContext context(fakeProgram({}), quickOptions(100), nullptr);
  ControlRuns controls(context);
  ForcedCandidate forced = race();
  forced.met = 3;
  forced.meeting.emplace().record.result.seed = 5;
  auto judged = judgeHarm(forced, controls);
  ASSERT_TRUE(judged);
  EXPECT_FALSE(judged->harmful);
  EXPECT_EQ(judged->run.record.result.seed, 5u) << "a run in which the sides met";
  EXPECT_EQ(context.tally.judging, 0u) << "no run is made for it";
}

} // namespace
} // namespace heddle
