#include "sample.h"

#include "store/finding_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace heddle::test {

Finding sampleFinding(const std::string& id) {
  const Location withdraw{"bank.cpp", 30, 14, "Account::withdraw(long)"};
  const Location main{"bank.cpp", 71, 15, "main"};
  const FindingSite site{
      withdraw, "_ZN7Account8withdrawEl", "write", "Account::balance_", "freed", 2, 1,
      8,        {withdraw, main}};
  Finding finding;
  finding.id = id;
  finding.kind = FindingKind::Assertion;
  finding.status = FindingStatus::Confirmed;
  finding.message = "assertion `balance_ >= 0' failed";
  finding.sites = {site};
  finding.failure = FailureInfo{FindingKind::Assertion, "balance_ >= 0", site};
  finding.probability = 0.25;
  finding.schedule = "heddle-schedule:1:...";
  finding.replay = "heddle replay " + id;
  finding.threads = {{1, "1", "worker", "finished", 3, {withdraw}, {main}, {"Account::mutex_"}}};
  finding.steps = {{7, 1, withdraw, "write Account::balance_", "= -20", true}};
  finding.output = "total: 300\n";
  finding.notes = {"environment-dependent"};
  finding.strategy = "pct";
  finding.seed = 0xfedcba9876543210ull;
  finding.run = 12;
  finding.digest = 0xffffffffffffffffull;
  return finding;
}

StoredRun sampleRun() {
  StoredRun run;
  run.command = "check";
  run.argv = {"./bank", "", "-n\xff", "two words"};
  run.cwd = "/home/user/\xfe";
  run.env = {{"LANG", "C"}, {"EMPTY", ""}};
  run.input = std::string("line\n\0\xff", 7);
  run.modules = {{"/home/user/bank", "0123abcd"}, {"/usr/lib/libc.so.6", ""}};
  run.heddleVersion = "0.1.0";
  run.strategy = "pct";
  run.seed = 0xfedcba9876543210ull;
  run.pointsId = "P-0123456789abcdef";
  run.settings = {{"points", "shared"}, {"max-steps", "100000"}};
  return run;
}

void expectEqual(const Finding& left, const Finding& right) {
  EXPECT_EQ(dumpJsonIndented(findingToJson(left)), dumpJsonIndented(findingToJson(right)));
}

void expectEqual(const StoredRun& left, const StoredRun& right) {
  EXPECT_EQ(left.command, right.command);
  EXPECT_EQ(left.argv, right.argv);
  EXPECT_EQ(left.cwd, right.cwd);
  EXPECT_EQ(left.env, right.env);
  EXPECT_EQ(left.input, right.input);
  ASSERT_EQ(left.modules.size(), right.modules.size());
  for (size_t i = 0; i < left.modules.size(); ++i) {
    EXPECT_EQ(left.modules[i].path, right.modules[i].path);
    EXPECT_EQ(left.modules[i].buildId, right.modules[i].buildId);
  }
  EXPECT_EQ(left.heddleVersion, right.heddleVersion);
  EXPECT_EQ(left.strategy, right.strategy);
  EXPECT_EQ(left.seed, right.seed);
  EXPECT_EQ(left.pointsId, right.pointsId);
  EXPECT_EQ(left.settings, right.settings);
}

} // namespace heddle::test
