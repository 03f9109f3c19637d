#include "samples.h"

#include "report/decisive_step.h"
#include "report/finding_commands.h"
#include "report/report_json.h"
#include "report/source_excerpts.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace heddle::test {

namespace {

using Json = nlohmann::ordered_json;

Step step(unsigned thread, const std::string& action, bool switched = false,
          const std::string& value = "") {
  return {0, thread, {}, action, value, switched};
}

/// A file of `count` lines that are their numbers.
SourceReader numbered(unsigned count) {
  return [count](const std::string& file) -> std::optional<SourceText> {
    if (file != "bank.cpp")
      return std::nullopt;
    std::string text;
    for (unsigned line = 1; line <= count; ++line)
      text += std::to_string(line) + "\n";
    return SourceText{text, false};
  };
}

Report reportAt(std::vector<unsigned> lines) {
  Report report;
  Finding finding{};
  finding.id = "H-1";
  for (const unsigned line : lines)
    finding.steps.push_back({0, 0, {"bank.cpp", line, 1, "f"}, "read x", "", false});
  report.findings = {finding};
  return report;
}

} // namespace

TEST(DecisiveStep, IsTheLastInterruption) {
  EXPECT_EQ(decisiveStep({step(0, "create T1"), step(1, "read x", true), step(0, "write x", true),
                          step(0, "exit"), step(1, "write x", true)}),
            2u);
}

TEST(DecisiveStep, AThreadThatWaitsOrEndsIsNotInterrupted) {
  EXPECT_EQ(decisiveStep({step(1, "read x"), step(2, "lock m", true, "(waits)"),
                          step(3, "lock n", true), step(3, "exit"), step(1, "write x", true)}),
            1u);
  // It waits for the condition also while it gives the mutex back.
  EXPECT_EQ(decisiveStep({step(1, "read x"), step(2, "wait c", true), step(2, "unlock m"),
                          step(3, "lock m", true)}),
            1u);
}

TEST(DecisiveStep, WithoutInterruptionTheLastChoice) {
  EXPECT_EQ(decisiveStep({step(0, "join T1", false, "(waits)"), step(2, "start", true)}), 1u);
  EXPECT_EQ(decisiveStep({step(0, "read x"), step(1, "start")}), std::nullopt);
  EXPECT_EQ(decisiveStep({}), std::nullopt);
}

TEST(FindingCommands, OfAStoredFinding) {
  Finding finding{};
  finding.id = "H-3f2a";
  finding.schedule = "heddle-1;";
  finding.replay = "heddle replay --store st H-3f2a";
  std::map<std::string, std::string> texts;
  for (const FindingCommand& command : findingCommands(finding))
    texts[command.name] = command.text;
  EXPECT_EQ(texts["replay"], "heddle replay --store st H-3f2a");
  EXPECT_EQ(texts["debug"], "heddle replay --store st H-3f2a -- gdb");
  EXPECT_EQ(texts["minimize"], "heddle minimize --store st H-3f2a");
  EXPECT_EQ(texts["export"], "heddle export --store st H-3f2a");
  EXPECT_EQ(texts["suppress"], "id:H-3f2a");
}

TEST(FindingCommands, WithoutAScheduleThereIsNothingToReplay) {
  Finding finding{};
  finding.id = "H-3f2a";
  const auto commands = findingCommands(finding);
  ASSERT_EQ(commands.size(), 1u);
  EXPECT_EQ(commands[0].name, "suppress");
}

TEST(SourceExcerpts, LinesAroundWhatIsNamed) {
  const Json sources = sourceExcerpts(reportAt({3, 20, 60}), numbered(62));
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(sources[0].at("lines"), 62);
  const Json& parts = sources[0].at("parts");
  ASSERT_EQ(parts.size(), 2u); // the first two touch each other
  EXPECT_EQ(parts[0].at("first"), 1);
  EXPECT_EQ(parts[0].at("text").front(), "1");
  EXPECT_EQ(parts[0].at("text").back(), "28");
  EXPECT_EQ(parts[0].at("text").size(), 28u);
  EXPECT_EQ(parts[1].at("first"), 52);
  EXPECT_EQ(parts[1].at("text").back(), "62");
}

TEST(SourceExcerpts, ALineAfterTheEndIsNone) {
  const Json sources = sourceExcerpts(reportAt({100}), numbered(5));
  EXPECT_TRUE(sources[0].at("parts").empty());
}

TEST(SourceExcerpts, MissingFilesAreSaid) {
  const Json sources = sourceExcerpts(
      reportAt({1}), [](const std::string&) -> std::optional<SourceText> { return {}; });
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(sources[0].at("missing"), true);
}

TEST(SourceExcerpts, FilesThatChangedAfterTheBuildAreMarked) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(HEDDLE_TEST_RECEIVED_DIR).parent_path() / "sources";
  fs::create_directories(folder);
  const fs::path program = folder / "program";
  const fs::path source = folder / "source.cpp";
  std::ofstream(program) << "x";
  std::ofstream(source) << "int x;\n";
  const auto now = fs::last_write_time(program);
  fs::last_write_time(source, now - std::chrono::seconds(5));
  const auto before = sourceFileReader(program.string())(source.string());
  ASSERT_TRUE(before);
  EXPECT_EQ(before->text, "int x;\n");
  EXPECT_FALSE(before->changed);
  fs::last_write_time(source, now + std::chrono::seconds(5));
  EXPECT_TRUE(sourceFileReader(program.string())(source.string())->changed);
  EXPECT_FALSE(sourceFileReader((folder / "gone").string())(source.string())->changed);
  EXPECT_FALSE(sourceFileReader(program.string())(folder.string()));
}

TEST(ReportJson, SaysWhatOnlyTheCallerKnows) {
  ReportOptions options;
  options.time = "2025-01-31T12:00:00Z";
  options.sourceRoot = "/src";
  const Json json = reportToJson(raceReport(), options);
  EXPECT_EQ(json.at("format"), kReportFormat);
  EXPECT_EQ(json.at("time"), options.time);
  EXPECT_EQ(json.at("source_root"), "/src");
  EXPECT_FALSE(json.contains("sources"));
  EXPECT_EQ(json.at("words").at("kinds").at("data-race").at("title"), "data race");
}

} // namespace heddle::test
