#include "control/options.h"
#include "model/spelling.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Options, EveryOptionTakesItsOwnDefault) {
  Options options;
  for (const OptionFacts& facts : optionList()) {
    Status status = setOption(options, facts.key, facts.initial);
    // Only the strategy has no default that is one of its words.
    EXPECT_TRUE(status || std::string(facts.key) == "strategy") << facts.key;
    EXPECT_STRNE(facts.help, "");
  }
}

TEST(Options, ReadsKeysAndValues) {
  Options options;
  ASSERT_TRUE(readOptionsText(options, "max_steps=500:strategy=pct:seconds=1.5:keep_going"));
  EXPECT_EQ(options.max_steps, 500u);
  EXPECT_EQ(options.strategy, "pct");
  EXPECT_DOUBLE_EQ(options.seconds, 1.5);
  EXPECT_TRUE(options.keep_going);
  EXPECT_TRUE(readOptionsText(options, ""));
  EXPECT_TRUE(readOptionsText(options, "seconds=2s:keep_going=false"));
  EXPECT_DOUBLE_EQ(options.seconds, 2);
  EXPECT_FALSE(options.keep_going);
}

std::string errorOf(const char* text) {
  Options options;
  Status status = readOptionsText(options, text);
  return status ? "" : status.error().message;
}

TEST(Options, ErrorsSayWhatIsWrongAndWhatWasMeant) {
  EXPECT_EQ(errorOf("max_step=5"),
            "HEDDLE_OPTIONS: unknown option 'max_step'; did you mean 'max_steps'?");
  EXPECT_EQ(errorOf("max_steps=many"),
            "HEDDLE_OPTIONS: option max_steps: 'many' is not a number from 0");
  EXPECT_EQ(errorOf("points=al"), "HEDDLE_OPTIONS: option points: 'al' is not one of sync, shared, "
                                  "all; did you mean all?");
  EXPECT_EQ(errorOf("seconds=-1"),
            "HEDDLE_OPTIONS: option seconds: '-1' is not a number of seconds");
  EXPECT_EQ(errorOf("spurious=perhaps"),
            "HEDDLE_OPTIONS: option spurious: 'perhaps' is not true or false");
}

TEST(DidYouMean, FindsTheNearest) {
  std::vector<std::string> known = {"check", "run", "replay", "report"};
  EXPECT_EQ(didYouMean("chekc", known), "check");
  EXPECT_EQ(didYouMean("repaly", known), "replay");
  EXPECT_EQ(didYouMean("rum", known), "run");
  EXPECT_EQ(didYouMean("explode", known), "");
}

TEST(Options, FlagNamesHaveDashes) {
  for (const OptionFacts& facts : optionList())
    EXPECT_EQ(facts.flagName().find('_'), std::string::npos);
}

TEST(Options, NoJobsAreOneForEachCore) {
  Options options;
  EXPECT_EQ(options.jobs, 0u) << "left to the command";
  ASSERT_TRUE(setOption(options, "jobs", "0"));
  EXPECT_EQ(options.jobs, coreCount());
  ASSERT_TRUE(setOption(options, "jobs", "3"));
  EXPECT_EQ(options.jobs, 3u);
}

} // namespace
} // namespace heddle
