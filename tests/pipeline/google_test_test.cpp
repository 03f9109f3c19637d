#include "pipeline/googletest/google_test.h"

#include "control/options.h"
#include "pipeline/googletest/test_listing.h"
#include "pipeline/googletest/test_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle {
namespace {

using Words = std::vector<std::string>;

Program program(Words arguments) {
  Program made;
  made.arguments = std::move(arguments);
  made.arguments.insert(made.arguments.begin(), "./tests");
  made.googleTest = true;
  return made;
}

TEST(TestList, HasEveryKindOfTest) {
  EXPECT_EQ(parseTestList("Running main() from gtest_main.cc\n"
                          "Plain.\n"
                          "  One\n"
                          "  Two\n"
                          "Typed/0.  # TypeParam = int\n"
                          "  Works\n"
                          "All/Numbers.\n"
                          "  Add/0  # GetParam() = 1\n"
                          "  Add/seven  # GetParam() = (7, \"x. y\")\n"),
            (Words{"Plain.One", "Plain.Two", "Typed/0.Works", "All/Numbers.Add/0",
                   "All/Numbers.Add/seven"}));
}

TEST(TestList, LeavesOutWhatTheProgramSaysBeside) {
  EXPECT_EQ(parseTestList("starting up.\n  indented\nready in 3 s.\n  too\nA.\n  b\n\n  c d\n"),
            Words{"A.b"});
  EXPECT_EQ(parseTestList(""), Words{});
  EXPECT_EQ(parseTestList("A."), Words{});
}

TEST(ProgramOfTest, RunsThisTestAlone) {
  Program all = program({"--gtest_filter=A*", "data", "--gtest_repeat=100", "-gtest_shuffle",
                         "--gtest_output=xml:x", "--gtest_color=no", "--", "-v"});
  all.environment = {"GTEST_SHARD_INDEX=1", "GTEST_FILTER=B*", "HOME=/x"};
  Program alone = programOfTest(all, "A.b", FailingExpectation::GoesOn);
  EXPECT_EQ(alone.arguments,
            (Words{"./tests", "--gtest_filter=A.b", "data", "--gtest_color=no", "--", "-v"}));
  EXPECT_EQ(alone.environment, Words{"HOME=/x"});
  EXPECT_EQ(alone.test, "A.b");
}

TEST(ProgramOfTest, AFailingExpectationCanEndTheRun) {
  Program alone = programOfTest(program({}), "A.b", FailingExpectation::Traps);
  EXPECT_EQ(alone.arguments, (Words{"./tests", "--gtest_filter=A.b", "--gtest_break_on_failure",
                                    "--gtest_catch_exceptions=0"}));
}

TEST(ProgramOfTest, ANameIsNoPattern) {
  Program alone = programOfTest(program({}), "A/std::map-x.b", FailingExpectation::GoesOn);
  EXPECT_EQ(alone.arguments[1], "--gtest_filter=A/std??map?x.b");
}

TEST(ProgramOfTest, RunsOfAHeddleTestStartAtItsBody) {
  Program all = program({});
  all.heddleTests = {"A.b"};
  EXPECT_EQ(programOfTest(all, "A.b", FailingExpectation::Traps).environment,
            Words{"HEDDLE_STARTS_READY=1"});
  EXPECT_EQ(programOfTest(all, "A.c", FailingExpectation::Traps).environment, Words{});
}

TEST(ListingProgram, KeepsTheUsersFilter) {
  Program all = program({"--gtest_filter=A*", "--gtest_output=xml:x"});
  all.environment = {"GTEST_FILTER=B*", "GTEST_OUTPUT=xml:y"};
  Program listing = listingProgram(all);
  EXPECT_EQ(listing.arguments, (Words{"./tests", "--gtest_list_tests", "--gtest_filter=A*"}));
  EXPECT_EQ(listing.environment, Words{"GTEST_FILTER=B*"});
}

TEST(ReasonToSkip, DeathTestsAndDisabledOnes) {
  Program plain = program({});
  for (const char* name :
       {"BankDeathTest.Dies", "All/BankDeathTest.Dies/0", "BankDeathTest/1.Dies"})
    EXPECT_EQ(reasonToSkip(plain, name), "death test") << name;
  for (const char* name :
       {"Bank.DISABLED_Works", "DISABLED_Bank.Works", "All/DISABLED_Bank.Works/1"})
    EXPECT_EQ(reasonToSkip(plain, name), "disabled") << name;
  for (const char* name : {"Bank.Works", "Bank.DeathTest", "BankDeathTests.Works", "A/B.C/0"})
    EXPECT_EQ(reasonToSkip(plain, name), std::nullopt) << name;
  EXPECT_EQ(reasonToSkip(program({"--gtest_also_run_disabled_tests"}), "Bank.DISABLED_Works"),
            std::nullopt);
}

TEST(TestProgram, IsRecognisedOrSaid) {
  Options options;
  Program plain = program({});
  EXPECT_TRUE(isTestProgram(plain, options));
  EXPECT_FALSE(isTestProgram(program({"--gtest_list_tests"}), options));
  EXPECT_FALSE(isTestProgram(program({"--help"}), options));
  options.gtest = "off";
  EXPECT_FALSE(isTestProgram(plain, options));
  plain.googleTest = false;
  options.gtest = "auto";
  EXPECT_FALSE(isTestProgram(plain, options));
  options.gtest = "on";
  EXPECT_TRUE(isTestProgram(plain, options));
}

TEST(ChooseTests, AHeddleTestStandsForAll) {
  Options options;
  Program marked = program({});
  marked.heddleTests = {"A.b", "B.c"};
  auto explored = [&](const Words& names) {
    Words chosen;
    for (const ListedTest& test : chooseTests(marked, options, names))
      if (test.skipped.empty())
        chosen.push_back(test.name);
    return chosen;
  };
  EXPECT_EQ(explored({"A.a", "A.b", "ADeathTest.c"}), Words{"A.b"});
  EXPECT_EQ(explored({"A.a", "ADeathTest.c"}), Words{"A.a"}) << "the filter is a choice";
  options.gtest = "all";
  EXPECT_EQ(explored({"A.a", "A.b", "ADeathTest.c"}), (Words{"A.a", "A.b"}));
  marked.heddleTests.clear();
  options.gtest = "auto";
  EXPECT_EQ(explored({"A.a", "A.b"}), (Words{"A.a", "A.b"}));
}

TEST(TestTable, HasARowForEachTest) {
  std::vector<TestOutcome> outcomes = {
      {"Bank.Pays", TestEnd::Found, "", 12, 0.5, {"H-1", "H-2"}},
      {"Bank.Waits", TestEnd::NothingFound, "", 4000, 1},
      {"BankDeathTest.Dies", TestEnd::Skipped, "death test"},
  };
  EXPECT_EQ(testTable(outcomes), (Words{
                                     "test                   runs  findings  status",
                                     "Bank.Pays                12         2  found",
                                     "Bank.Waits             4000         0  nothing found",
                                     "BankDeathTest.Dies        0         0  skipped: death test",
                                 }));
}

TEST(TestTable, CountsManyTestsThatWereNotExplored) {
  std::vector<TestOutcome> outcomes(100, {"A.rather_long_name", TestEnd::Skipped, kNoHeddleTest});
  outcomes.push_back({"A.b", TestEnd::NothingFound, "", 1});
  EXPECT_EQ(testTable(outcomes),
            (Words{"test     runs  findings  status", "A.b         1         0  nothing found",
                   "100 more tests: skipped: no HEDDLE_TEST (--gtest=all explores them, too)"}));
}

} // namespace
} // namespace heddle
