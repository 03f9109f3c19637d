#include "fake_command.h"

#include "pipeline/commands/exporting.h"
#include "pipeline/commands/replay.h"
#include "pipeline/commands/replay_target.h"

#include <fstream>

namespace heddle {
namespace {

class Replay : public StoreTest {
protected:
  Finding found(std::vector<std::string> settings = {"fail=57"}) {
    CommandResult result = checkFake(std::move(settings), quickOptions(100));
    if (result.report.findings.empty()) {
      ADD_FAILURE() << "nothing found";
      return {};
    }
    return result.report.findings[0];
  }

  Result<CommandResult> replayWords(const std::vector<std::string>& words, uint64_t times = 1) {
    auto target = findReplayTarget(words, folder_, {});
    if (!target)
      return target.error();
    warnings_ = target->warnings;
    CommandContext context(target->program, Options(), nullptr);
    return replay(context, *target, times);
  }

  std::vector<std::string> warnings_;
};

TEST_F(Replay, ByIdAndByPrefix) {
  Finding finding = found();
  for (const std::string& id : {finding.id, finding.id.substr(0, 6)}) {
    auto result = replayWords({id});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(exitCodeOf(*result, {}), 2);
    ASSERT_EQ(result->report.findings.size(), 1u);
    EXPECT_EQ(result->report.findings[0].id, finding.id);
    EXPECT_EQ(result->report.findings[0].digest, finding.digest);
  }
}

TEST_F(Replay, ManyTimesWithOneDigest) {
  Finding finding = found();
  auto result = replayWords({finding.id}, 20);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->report.runs, 20u);
  EXPECT_EQ(exitCodeOf(*result, {}), 2);
  auto* facts = std::get_if<ReplaySummary>(&result->report.facts);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->digest.size(), 16u);
}

TEST_F(Replay, ByScheduleText) {
  Finding finding = found();
  auto result = replayWords({finding.schedule, HEDDLE_FAKE_PROGRAM, "fail=57"});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(exitCodeOf(*result, {}), 2);
  EXPECT_TRUE(warnings_.empty());
  EXPECT_FALSE(replayWords({finding.schedule})) << "it does not say which program";
}

TEST_F(Replay, WithoutTheRecordedPointsTheDigestIsNotCompared) {
  Finding finding = found();
  auto schedule = parseSchedule(finding.schedule);
  ASSERT_TRUE(schedule);
  schedule->pointsName = "P-unknown";
  auto result = replayWords({printSchedule(*schedule, {}), HEDDLE_FAKE_PROGRAM, "fail=57"});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(exitCodeOf(*result, {}), 2);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].find("P-unknown"), std::string::npos);
}

TEST_F(Replay, AnotherBehaviourIsLostControl) {
  Finding finding = found();
  // The same schedule on a program with another digest.
  auto result = replayWords({finding.schedule, HEDDLE_FAKE_PROGRAM, "fail=57", "drift=1"});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(exitCodeOf(*result, {}), 4);
  ASSERT_TRUE(result->lost);
  EXPECT_NE(result->lost->message.find("trace digest"), std::string::npos);
}

TEST_F(Replay, AFailureThatNoLongerHappensIsLostControl) {
  Finding finding = found();
  // A program that was repaired: same executable, other arguments, and no digest to compare.
  auto target = findReplayTarget({finding.id, HEDDLE_FAKE_PROGRAM}, folder_, {});
  ASSERT_TRUE(target) << target.error().message;
  target->schedule.digest = 0;
  CommandContext context(target->program, Options(), nullptr);
  auto result = replay(context, *target, 1);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(exitCodeOf(*result, {}), 4);
  ASSERT_TRUE(result->lost);
  EXPECT_NE(result->lost->message.find("the recorded failure did not happen"), std::string::npos);
}

TEST_F(Replay, OfAnExitStatus) {
  Finding finding = found({"exit=57"});
  auto result = replayWords({finding.id});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(exitCodeOf(*result, {}), 2);
  ASSERT_EQ(result->report.findings.size(), 1u);
  EXPECT_EQ(result->report.findings[0].kind, FindingKind::ExitStatus);
}

TEST_F(Replay, OfAnExportedFileInAnotherPlace) {
  Finding finding = found();
  std::string path = folder_ + "/exported.heddle";
  auto exported = exportFinding(folder_, finding.id, path, true);
  ASSERT_TRUE(exported) << exported.error().message;
  EXPECT_EQ(exported->path, path);
  auto target = findReplayTarget({path}, "/tmp/heddle-no-store", {});
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->program->executable, HEDDLE_FAKE_PROGRAM) << "it is still there";
  CommandContext context(target->program, Options(), nullptr);
  auto result = replay(context, *target, 1);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(exitCodeOf(*result, {}), 2);
}

TEST_F(Replay, UnpacksTheProgramWhereItIsMissing) {
  std::string copy = folder_ + "/copied_program";
  std::filesystem::copy_file(HEDDLE_FAKE_PROGRAM, copy);
  auto program = locateProgram({copy, "fail=57"});
  ASSERT_TRUE(program) << program.error().message;
  CommandContext context(std::make_shared<const Program>(*program), quickOptions(100), &*store_);
  auto result = check(context);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->report.findings.size(), 1u);
  std::string path = folder_ + "/exported.heddle";
  ASSERT_TRUE(exportFinding(folder_, result->report.findings[0].id, path, true));
  std::filesystem::remove(copy);
  auto again = replayWords({path});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(exitCodeOf(*again, {}), 2);
  ASSERT_TRUE(exportFinding(folder_, result->report.findings[0].id, path, false));
  EXPECT_FALSE(replayWords({path})) << "neither there nor in the file";
}

TEST_F(Replay, UnknownIdsAreErrors) {
  auto result = replayWords({"H-ffff"});
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().isUsage());
}

TEST(Secrets, AreGuessedFromNames) {
  EXPECT_TRUE(looksSecret("GITHUB_TOKEN"));
  EXPECT_TRUE(looksSecret("db_password"));
  EXPECT_TRUE(looksSecret("AWS_SECRET_ACCESS_KEY"));
  EXPECT_FALSE(looksSecret("PATH"));
  EXPECT_FALSE(looksSecret("HOME"));
}

} // namespace
} // namespace heddle
