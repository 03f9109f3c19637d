#include "describe/expectation.h"

#include "describe/finding_builder.h"

#include <gtest/gtest.h>

#include <csignal>

namespace heddle {
namespace {

constexpr const char* kOutput = "[ RUN      ] Bank.Pays\n"
                                "/src/bank_test.cpp:17: Failure\n"
                                "Expected equality of these values:\n"
                                "  bank.total()\n"
                                "    Which is: 90\n"
                                "  100\n"
                                "after 2 payments\n"
                                "\n"
                                "/src/bank_test.cpp:18: Failure\n"
                                "Failed\n"
                                "[  FAILED  ] Bank.Pays (0 ms)\n";

TEST(Expectation, TheFirstOneCounts) {
  auto found = firstFailedExpectation(kOutput);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->file, "/src/bank_test.cpp");
  EXPECT_EQ(found->line, 17u);
  EXPECT_EQ(found->message, "Expected equality of these values: bank.total(), Which is: 90, 100, "
                            "after 2 payments");
}

TEST(Expectation, EndsAtGoogleTestsNextLine) {
  EXPECT_EQ(firstFailedExpectation("a.cc:1: Failure\nFailed\n[  FAILED  ] A.b (0 ms)\n")->message,
            "Failed");
  EXPECT_EQ(firstFailedExpectation("a.cc:1: Failure\nFailed\na.cc:2: Failure\nmore\n")->message,
            "Failed");
  EXPECT_EQ(firstFailedExpectation("a.cc:1: Failure\n[1, 2, 3] is odd\n")->message,
            "[1, 2, 3] is odd");
}

TEST(Expectation, AnUnknownFileHasNoPlace) {
  auto found = firstFailedExpectation("unknown file: Failure\nC++ exception thrown.\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->file, "");
  EXPECT_EQ(found->message, "C++ exception thrown.");
}

TEST(Expectation, OtherLinesAreNone) {
  for (const char* output : {"", "all is well\n", ": Failure\n", "Total: Failure\n",
                             "a.cc:x: Failure\n", "a.cc:12: Success\n", "Failure\n"})
    EXPECT_FALSE(firstFailedExpectation(output)) << output;
}

CapturedRun failing(FailureKind kind, int signal) {
  CapturedRun run;
  run.record.failure = kind;
  run.record.signal = signal;
  run.record.output = kOutput;
  run.test = "Bank.Pays";
  return run;
}

TEST(Expectation, SpeaksOnlyForEndsThatSayNothing) {
  EXPECT_TRUE(expectationOf(failing(FailureKind::ExitStatus, 0).record));
  EXPECT_TRUE(expectationOf(failing(FailureKind::Crash, SIGTRAP).record));
  EXPECT_FALSE(expectationOf(failing(FailureKind::Crash, SIGSEGV).record));
  EXPECT_FALSE(expectationOf(failing(FailureKind::Deadlock, 0).record));
}

TEST(Expectation, IsAnAssertionAtItsPlace) {
  CapturedRun run = failing(FailureKind::ExitStatus, 0);
  Finding finding = buildFinding(run, run.record, nullptr, 0);
  EXPECT_EQ(finding.kind, FindingKind::Assertion);
  EXPECT_EQ(finding.test, "Bank.Pays");
  EXPECT_TRUE(finding.message.starts_with("failed expectation: Expected equality"));
  ASSERT_EQ(finding.sites.size(), 1u);
  EXPECT_EQ(finding.sites[0].location.line, 17u);
  ASSERT_TRUE(finding.failure);
  EXPECT_EQ(finding.failure->kind, FindingKind::Assertion);
  run.test = "Bank.Lends";
  EXPECT_NE(buildFinding(run, run.record, nullptr, 0).id, finding.id);
  run.test = "Bank.Pays";
  run.record.output.replace(run.record.output.find(":17:"), 4, ":99:");
  EXPECT_EQ(buildFinding(run, run.record, nullptr, 0).id, finding.id) << "a line is in the id";
}

} // namespace
} // namespace heddle
