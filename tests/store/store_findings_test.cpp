#include "sample.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace heddle::test {

class StoreFindings : public testing::Test {
protected:
  void SetUp() override { reopen(); }

  void reopen() {
    store_.reset();
    auto store = Store::open(folder_ / ".heddle");
    ASSERT_TRUE(store) << store.error().message;
    store_.emplace(std::move(*store));
  }

  void add(const Finding& finding) {
    const Status status = store_->addFinding(finding, sampleRun());
    ASSERT_TRUE(status) << status.error().message;
  }

  TemporaryFolder folder_;
  std::optional<Store> store_;
};

TEST_F(StoreFindings, OneThatIsRemovedIsGoneWithItsRun) {
  add(sampleFinding());
  const std::string program = programOf(sampleRun());
  ASSERT_TRUE(store_->removeFinding(sampleFinding().id, "another program"));
  EXPECT_TRUE(store_->finding(sampleFinding().id));
  const Status removed = store_->removeFinding(sampleFinding().id, program);
  ASSERT_TRUE(removed) << removed.error().message;
  EXPECT_FALSE(store_->finding(sampleFinding().id));
  add(sampleFinding());
  EXPECT_EQ(store_->finding(sampleFinding().id)->timesSeen, 1u);
}

TEST_F(StoreFindings, SurvivesReopening) {
  add(sampleFinding());
  reopen();
  const auto stored = store_->finding("H-3f2a00000001");
  ASSERT_TRUE(stored) << stored.error().message;
  expectEqual(stored->finding, sampleFinding());
  expectEqual(stored->run, sampleRun());
  EXPECT_EQ(stored->timesSeen, 1u);
  EXPECT_EQ(stored->firstSeen.size(), std::string("2025-01-31T12:00:00Z").size());
  EXPECT_EQ(stored->firstSeen, stored->lastSeen);
}

TEST_F(StoreFindings, PatternsOfOneBugSurvive) {
  Finding finding = sampleFinding();
  finding.kind = FindingKind::AtomicityViolation;
  finding.pattern = 1;
  finding.related = {{"H-1", FindingStatus::Harmful, 9, "torn", finding.sites, 0.5, {"1 2"}},
                     {"H-2", FindingStatus::Confirmed, 2, "seen", {}, std::nullopt, {}}};
  add(finding);
  const auto stored = store_->finding("H-3f2a");
  ASSERT_TRUE(stored) << stored.error().message;
  expectEqual(stored->finding, finding);
  ASSERT_EQ(stored->finding.related.size(), 2u);
  EXPECT_EQ(stored->finding.related[0].sites.size(), 1u);
  EXPECT_FALSE(stored->finding.related[1].probability);
}

TEST_F(StoreFindings, LargeInputSurvives) {
  StoredRun run = sampleRun();
  run.input.assign(3'000'000, '\0');
  for (size_t i = 0; i < run.input.size(); ++i)
    run.input[i] = static_cast<char>(i * 2654435761u >> 11);
  ASSERT_TRUE(store_->addFinding(sampleFinding(), run));
  const auto stored = store_->finding("H-3f2a00000001");
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->run.input, run.input);
}

TEST_F(StoreFindings, PrefixIsEnough) {
  add(sampleFinding("H-3f2a00000001"));
  add(sampleFinding("H-9b0000000002"));
  for (const char* text : {"H-3f2a00000001", "H-3f2a", "H-3", "3f2a", "3F2A", "h-3F"}) {
    const auto stored = store_->finding(text);
    ASSERT_TRUE(stored) << text << ": " << stored.error().message;
    EXPECT_EQ(stored->finding.id, "H-3f2a00000001") << text;
  }
}

TEST_F(StoreFindings, AmbiguousPrefixListsCandidates) {
  add(sampleFinding("H-3f2a00000001"));
  add(sampleFinding("H-3f2b00000002"));
  add(sampleFinding("H-9b0000000003"));
  const auto stored = store_->finding("H-3f2");
  ASSERT_FALSE(stored);
  EXPECT_TRUE(stored.error().isUsage());
  EXPECT_NE(stored.error().message.find("ambiguous"), std::string::npos);
  EXPECT_NE(stored.error().message.find("H-3f2a00000001"), std::string::npos);
  EXPECT_NE(stored.error().message.find("H-3f2b00000002"), std::string::npos);
  EXPECT_EQ(stored.error().message.find("H-9b0000000003"), std::string::npos);
}

TEST_F(StoreFindings, AWholeIdIsNeverAmbiguous) {
  add(sampleFinding("H-3f2a"));
  add(sampleFinding("H-3f2a00000001"));
  const auto stored = store_->finding("H-3f2a");
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->finding.id, "H-3f2a");
}

TEST_F(StoreFindings, UnknownIdListsWhatThereIs) {
  EXPECT_NE(store_->finding("H-1").error().message.find("none yet"), std::string::npos);
  add(sampleFinding());
  const auto stored = store_->finding("H-1");
  ASSERT_FALSE(stored);
  EXPECT_NE(stored.error().message.find("H-3f2a00000001"), std::string::npos);
}

TEST_F(StoreFindings, WildcardsOfSqlAreNoPrefix) {
  add(sampleFinding());
  EXPECT_FALSE(store_->finding("%"));
  EXPECT_FALSE(store_->finding("H-3_2a"));
}

TEST_F(StoreFindings, SeenAgainCountsAndReplaces) {
  add(sampleFinding());
  Finding again = sampleFinding();
  again.status = FindingStatus::Harmful;
  again.schedule = "shorter";
  add(again);
  const auto stored = store_->finding("H-3f2a");
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->timesSeen, 2u);
  EXPECT_EQ(stored->finding.status, FindingStatus::Harmful);
  EXPECT_EQ(stored->finding.schedule, "shorter");
}

TEST_F(StoreFindings, ALowerStatusOnlyCounts) {
  add(sampleFinding());
  Finding guess = sampleFinding();
  guess.status = FindingStatus::Potential;
  guess.schedule = "";
  add(guess);
  const auto stored = store_->finding("H-3f2a");
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->timesSeen, 2u);
  expectEqual(stored->finding, sampleFinding());
}

TEST_F(StoreFindings, UpdateKeepsRunAndTimes) {
  add(sampleFinding());
  Finding minimized = sampleFinding();
  minimized.schedule = "minimized";
  const std::string program = programOf(sampleRun());
  ASSERT_TRUE(store_->updateFinding(minimized, program));
  const auto stored = store_->finding("H-3f2a");
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->finding.schedule, "minimized");
  EXPECT_EQ(stored->timesSeen, 1u);
  expectEqual(stored->run, sampleRun());
  EXPECT_FALSE(store_->updateFinding(sampleFinding("H-000000000000"), program));
  EXPECT_FALSE(store_->updateFinding(minimized, "/bin/other"));
}

TEST_F(StoreFindings, AnUpdateOfALowerStatusChangesNothing) {
  Finding harmful = sampleFinding();
  harmful.status = FindingStatus::Harmful;
  add(harmful);
  Finding confirmed = sampleFinding();
  confirmed.schedule = "of another run";
  ASSERT_TRUE(store_->updateFinding(confirmed, programOf(sampleRun())));
  expectEqual(store_->finding("H-3f2a")->finding, harmful);
}

/// The same finding in several programs.
class StorePrograms : public StoreFindings {
protected:
  /// Adds the sample of a program of this name and build, whose schedule is its name.
  std::string addOf(const std::string& name, const std::string& buildId, bool exists = true) {
    const std::string path = folder_ / name;
    if (exists) {
      std::filesystem::create_directories(std::filesystem::path(path).parent_path());
      std::ofstream(path) << "program";
    }
    StoredRun run = sampleRun();
    run.modules = {{path, buildId}};
    Finding finding = sampleFinding();
    finding.schedule = name;
    EXPECT_TRUE(store_->addFinding(finding, run));
    return path;
  }
  std::string scheduleOf(const std::string& name) {
    const auto stored = store_->finding(name);
    return stored ? stored->finding.schedule : stored.error().message;
  }
};

TEST_F(StorePrograms, EachKeepsItsRun) {
  const std::string one = addOf("one", "1");
  const std::string two = addOf("two", "2");
  EXPECT_EQ(scheduleOf("H-3f2a@one"), "one");
  EXPECT_EQ(scheduleOf("3f2a@./two"), "two");
  EXPECT_EQ(scheduleOf("H-3f2a00000001@" + one), "one");
  EXPECT_EQ(store_->finding("H-3f2a@two")->run.modules[0].path, two);
  EXPECT_EQ(store_->findings()->size(), 2u);
}

TEST_F(StorePrograms, TheIdAloneAsksWhichOne) {
  addOf("debug/test", "1");
  addOf("release/test", "2");
  const std::string text = scheduleOf("H-3f2a");
  EXPECT_NE(text.find("is known of 2 programs"), std::string::npos) << text;
  EXPECT_NE(text.find("H-3f2a00000001@debug/test"), std::string::npos) << text;
  EXPECT_NE(text.find("H-3f2a00000001@release/test"), std::string::npos) << text;
  EXPECT_EQ(scheduleOf("H-3f2a@release/test"), "release/test");
  EXPECT_NE(scheduleOf("H-3f2a@test").find("is known of 2 programs"), std::string::npos);
  EXPECT_NE(scheduleOf("H-3f2a@est").find("no program est"), std::string::npos);
}

TEST_F(StorePrograms, WhatWasMovedOrCopiedIsOneProgram) {
  addOf("old/test", "1", /*exists=*/false);
  addOf("new/test", "2");
  EXPECT_EQ(scheduleOf("H-3f2a"), "new/test") << "the other file is gone";
  addOf("copy/test", "2");
  EXPECT_EQ(scheduleOf("H-3f2a").find("is known"), std::string::npos) << "both are one build";
}

TEST_F(StorePrograms, ANameIsAsLongAsNecessary) {
  const std::string one = addOf("a/x/test", "1");
  EXPECT_EQ(*store_->nameOf("H-3f2a00000001", one), "H-3f2a00000001");
  const std::string two = addOf("b/x/test", "2");
  const std::string other = addOf("b/x/other", "3");
  EXPECT_EQ(*store_->nameOf("H-3f2a00000001", one), "H-3f2a00000001@a/x/test");
  EXPECT_EQ(*store_->nameOf("H-3f2a00000001", two), "H-3f2a00000001@b/x/test");
  EXPECT_EQ(*store_->nameOf("H-3f2a00000001", other), "H-3f2a00000001@other");
  EXPECT_EQ(*store_->nameOf("H-0", two), "H-0");
}

TEST_F(StoreFindings, ListIsSortedById) {
  add(sampleFinding("H-b"));
  add(sampleFinding("H-a"));
  const auto list = store_->findings();
  ASSERT_TRUE(list) << list.error().message;
  ASSERT_EQ(list->size(), 2u);
  EXPECT_EQ(list->at(0).id, "H-a");
  EXPECT_EQ(list->at(1).id, "H-b");
  EXPECT_EQ(list->at(0).argv, sampleRun().argv);
  EXPECT_EQ(list->at(0).kind, FindingKind::Assertion);
  EXPECT_EQ(list->at(0).status, FindingStatus::Confirmed);
}

TEST_F(StoreFindings, ImportTakesTimesOver) {
  const StoredFinding imported{sampleFinding(), sampleRun(), "2001-01-01T00:00:00Z",
                               "2002-02-02T00:00:00Z", 7};
  ASSERT_TRUE(store_->importFinding(imported));
  const auto stored = store_->finding("H-3f2a");
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->firstSeen, imported.firstSeen);
  EXPECT_EQ(stored->lastSeen, imported.lastSeen);
  EXPECT_EQ(stored->timesSeen, 7u);
}

TEST_F(StoreFindings, LogOfCommandsIsNewestFirst) {
  CommandRecord record{"check", {"./bank", "-n"}, "2025-01-31T12:00:00Z", 1.5, 1000, 2, {"H-a"}};
  ASSERT_TRUE(store_->logCommand(record));
  record.command = "replay";
  record.started.clear();
  ASSERT_TRUE(store_->logCommand(record));
  const auto records = store_->commands(10);
  ASSERT_TRUE(records) << records.error().message;
  ASSERT_EQ(records->size(), 2u);
  EXPECT_EQ(records->at(0).command, "replay");
  EXPECT_FALSE(records->at(0).started.empty());
  const CommandRecord& first = records->at(1);
  EXPECT_EQ(first.argv, record.argv);
  EXPECT_EQ(first.started, "2025-01-31T12:00:00Z");
  EXPECT_EQ(first.seconds, 1.5);
  EXPECT_EQ(first.runs, 1000u);
  EXPECT_EQ(first.exitCode, 2);
  EXPECT_EQ(first.findings, std::vector<std::string>{"H-a"});
  EXPECT_EQ(store_->commands(1)->size(), 1u);
}

} // namespace heddle::test
