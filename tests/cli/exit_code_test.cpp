#include "cli/exit_code.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(ExitCode, OfAnErrorIsThatOfItsKind) {
  EXPECT_EQ(exitCodeOf(Error{"", ErrorKind::Usage}), 1);
  EXPECT_EQ(exitCodeOf(Error{"", ErrorKind::Environment}), 1);
  EXPECT_EQ(exitCodeOf(Error{"", ErrorKind::Internal}), 3);
  EXPECT_EQ(exitCodeOf(Error{"", ErrorKind::LostControl}), 4);
  EXPECT_EQ(exitCodeOf(Error{"", ErrorKind::OutOfTime}), 130);
  EXPECT_EQ(exitCodeOf(Error{"", ErrorKind::Interrupted}), 130);
}

TEST(ExitCode, OfAResultIsWhatCountsMost) {
  Options strict;
  strict.fail_on = "potential";
  CommandResult result;
  EXPECT_EQ(exitCodeOf(result, {}), 0);
  result.lost = Error{"", ErrorKind::LostControl};
  EXPECT_EQ(exitCodeOf(result, {}), 4);
  result.report.findings.resize(1);
  result.report.findings[0].status = FindingStatus::Potential;
  EXPECT_EQ(exitCodeOf(result, {}), 4);
  EXPECT_EQ(exitCodeOf(result, strict), 2);
  result.report.findings[0].status = FindingStatus::Confirmed;
  EXPECT_EQ(exitCodeOf(result, {}), 2);
  result.report.interrupted = true;
  EXPECT_EQ(exitCodeOf(result, {}), 130);
}

} // namespace
} // namespace heddle
