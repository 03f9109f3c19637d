#include "samples.h"

#include "report/interleaving.h"
#include "report/reporter.h"
#include "report/wording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

namespace heddle::test {

namespace {

std::string render(const Report& report, const ReportOptions& options = {}) {
  std::ostringstream out;
  (*createReporter("text"))->write(report, out, options);
  return out.str();
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST(TextReporter, TheFirstLineHasGccsForm) {
  const std::regex form(R"(bank\.cpp:31:5: warning: .* \[heddle-assertion\])");
  EXPECT_TRUE(std::regex_match(firstLine(render(assertionReport())), form));
}

TEST(TextReporter, SaysInWhichTest) {
  Report report = assertionReport();
  EXPECT_FALSE(contains(render(report), "in test"));
  report.findings[0].test = "Bank.Pays";
  EXPECT_TRUE(contains(render(report), "\n  in test Bank.Pays\n"));
  EXPECT_TRUE(std::regex_search(render(report), std::regex("SUMMARY: .*, in test Bank.Pays\n")));
}

TEST(TextReporter, OtherPatternsOfABugAreNotes) {
  const std::string text = render(violationReport());
  EXPECT_TRUE(
      contains(text, "\n  note: also: pattern 2 of the same (bank.cpp:20, 30, account.h:7)\n"))
      << text;
  EXPECT_TRUE(contains(text, "also: pattern 4"));
  EXPECT_FALSE(contains(text, "also: pattern 5"));
  EXPECT_TRUE(contains(text, "note: and 2 more of the same bug")) << text;
}

TEST(TextReporter, WhatLeadsToADeadlockShowsWhoWaits) {
  Report report = violationReport();
  Finding& finding = report.findings[0];
  const Finding deadlock = deadlockReport().findings[0];
  finding.failure = FailureInfo{FindingKind::Deadlock, deadlock.message, std::nullopt};
  finding.threads = deadlock.threads;
  const std::string text = render(report);
  EXPECT_TRUE(contains(text, "  Deadlock: " + deadlock.message)) << text;
  EXPECT_TRUE(contains(text, "Thread T1 'left' is " + deadlock.threads[1].state)) << text;
  EXPECT_TRUE(contains(text, "Read of size 8 of Account::balance_ by thread T1")) << text;
}

TEST(TextReporter, AListNamesTheProgramWhereTheIdIsNotEnough) {
  Report report = assertionReport();
  report.brief = true;
  EXPECT_EQ(firstLine(render(report)).rfind("H-3f2a00000001   assertion ", 0), 0u);
  report.findings[0].name = "H-3f2a00000001@bank";
  EXPECT_EQ(firstLine(render(report)).rfind("H-3f2a00000001@bank assertion ", 0), 0u);
}

TEST(TextReporter, AMessageOfSeveralLinesStaysOneLine) {
  const std::string line = firstLine(render(hostileReport()));
  EXPECT_TRUE(contains(line, "std::runtime_error: [31mred \"quoted\" [heddle-exception]")) << line;
  EXPECT_EQ(line.rfind("./a program: warning: ", 0), 0u) << line;
}

TEST(TextReporter, NothingOfTheProgramReachesTheTerminalRaw) {
  ReportOptions options;
  options.showOutput = true;
  EXPECT_FALSE(contains(render(hostileReport(), options), "\x1b"));
  EXPECT_FALSE(contains(render(hostileReport(), options), "\x07"));
}

TEST(TextReporter, ColourOnlyWhenAsked) {
  ReportOptions options;
  EXPECT_FALSE(contains(render(assertionReport(), options), "\x1b["));
  options.colour = true;
  EXPECT_TRUE(contains(render(assertionReport(), options), "\x1b["));
}

TEST(TextReporter, SpeaksLikeTSan) {
  const std::string text = render(raceReport());
  EXPECT_TRUE(contains(text, "Write of size 4 to Counter::value by thread T2:"));
  EXPECT_TRUE(contains(text, "Previous read of size 4 of Counter::value by thread T1:"));
  EXPECT_TRUE(contains(text, "    #0 Counter::add() bank.cpp:12:5"));
  EXPECT_TRUE(contains(text, "Thread T1 created by main thread at:"));
  EXPECT_TRUE(
      contains(text, "SUMMARY: heddle: data race (harmful) bank.cpp:12:5 in Counter::add()"));
}

TEST(TextReporter, ReplayFollowsTheSummary) {
  const std::string text = render(assertionReport());
  const size_t summary = text.find("SUMMARY:");
  const size_t replay = text.find("replay: heddle replay H-3f2a00000001");
  ASSERT_NE(summary, std::string::npos);
  ASSERT_NE(replay, std::string::npos);
  EXPECT_LT(summary, replay);
}

TEST(TextReporter, ADeadlockSaysWhoHoldsWhat) {
  const std::string text = render(deadlockReport());
  EXPECT_TRUE(contains(text, "Thread T1 'left' is blocked: waits for mutex b.mutex held by T2"));
  EXPECT_TRUE(contains(text, "    holds a.mutex (locked at bank.cpp:41:7)"));
  EXPECT_TRUE(contains(text, "Main thread is blocked: joins T1"));
  EXPECT_FALSE(contains(text, "Thread T3"));
}

TEST(TextReporter, OutputOnlyWhenAskedAndOnlyItsEnd) {
  EXPECT_FALSE(contains(render(assertionReport()), "| overdrawn"));
  ReportOptions options;
  options.showOutput = true;
  EXPECT_TRUE(contains(render(assertionReport(), options), "    | starting\n    | overdrawn\n"));
  const std::string cut = render(hostileReport(), options);
  EXPECT_TRUE(contains(cut, "... 11 lines before ..."));
  EXPECT_FALSE(contains(cut, "| line 10\n"));
  EXPECT_TRUE(contains(cut, "| line 11\n"));
  Report silent = assertionReport();
  silent.findings[0].output.clear();
  EXPECT_TRUE(contains(render(silent, options), "wrote nothing"));
}

TEST(TextReporter, LibraryFramesInARowAreCounted) {
  Report report = assertionReport();
  Stack& stack = report.findings[0].failure->site->stack;
  stack = {{"/usr/include/mutex", 1, 1, "lock"},
           {"a.cpp", 2, 1, "work"},
           {"/usr/include/thread", 3, 1, "one"},
           {"/usr/include/invoke", 4, 1, "two"},
           {"a.cpp", 5, 1, "main"},
           {"/usr/include/thread", 6, 1, "alone"}};
  std::string text = render(report);
  EXPECT_TRUE(contains(text, "    #0 lock /usr/include/mutex:1:1\n    #1 work a.cpp:2:1\n"
                             "    … 2 frames in libraries\n    #4 main a.cpp:5:1\n"
                             "    #5 alone /usr/include/thread:6:1\n"))
      << text;
}

TEST(TextReporter, TheLastLinesCount) {
  EXPECT_TRUE(contains(render(nothingReport()),
                       "heddle check ./bank 'it'\\''s' '': nothing found in 1 run, 1.2 s\n"));
  EXPECT_TRUE(contains(render(raceReport()), "2 findings (1 harmful, 1 potential) in 1037 runs"));
  Report lost = nothingReport();
  lost.lost = "it was killed";
  EXPECT_TRUE(contains(render(lost), "lost control of the program in 1 run"));
  EXPECT_FALSE(contains(render(lost), "nothing found"));
  Report report = nothingReport();
  for (int i = 0; i < 8; ++i)
    report.notSeen.push_back("lib" + std::to_string(i));
  EXPECT_TRUE(contains(render(report), "not seen: lib0, lib1, lib2, lib3, lib4 and 3 more\n"));
}

TEST(TextReporter, TheStackOfADeadlockedThreadIsShownOnce) {
  Report report = deadlockReport();
  Finding& finding = report.findings[0];
  finding.failure = FailureInfo{FindingKind::Deadlock, finding.message, finding.sites.at(0)};
  const std::string text = render(report);
  EXPECT_FALSE(contains(text, "Deadlock in thread")) << text;
  EXPECT_TRUE(contains(text, "Thread T1 'left' is blocked"));
}

TEST(TextReporter, FilesBelowTheCurrentFolderAreRelative) {
  Report report = assertionReport();
  Finding& finding = report.findings[0];
  finding.failure->site->location.file = "/home/me/bank/src/bank.cpp";
  finding.failure->site->stack = {{"/home/me/bank/src/bank.cpp", 31, 5, "withdraw"},
                                  {"/home/me/other/main.cpp", 7, 0, "main"}};
  finding.steps[0].location.file = "/home/me/bank/src/bank.cpp";
  ReportOptions options;
  options.sourceRoot = "/home/me/bank";
  const std::string text = render(report, options);
  EXPECT_EQ(firstLine(text).rfind("src/bank.cpp:31:5: warning:", 0), 0u) << text;
  EXPECT_TRUE(contains(text, "#1 main /home/me/other/main.cpp:7"));
  EXPECT_FALSE(contains(text, "/home/me/bank/"));
}

TEST(TextReporter, LibraryFramesAroundTheUsersAreCounted) {
  Report report = assertionReport();
  FindingSite& site = *report.findings[0].failure->site;
  const Location library{"/usr/include/c++/12/mutex", 1, 1, "std::call_once"};
  site.stack = {library, library, {"a.cpp", 3, 0, "f"}, library, library};
  EXPECT_TRUE(contains(render(report), "    … 2 frames in libraries, innermost std::call_once\n"
                                       "    #2 f a.cpp:3\n"
                                       "    … 2 frames in libraries\n"));
}

TEST(TextReporter, SaysWhereMemoryWasFreed) {
  Report report = assertionReport();
  FindingSite freed = report.findings[0].sites.at(0);
  freed.role = "freed";
  freed.thread = 2;
  report.findings[0].sites.push_back(freed);
  EXPECT_TRUE(contains(render(report), "Memory freed by thread T2:\n"));
}

TEST(TextReporter, ACommandThatRunsNothingCountsNoRuns) {
  Report report = assertionReport();
  report.command = "report";
  report.runs = 0;
  report.seconds = 0;
  EXPECT_TRUE(
      contains(render(report), "heddle report ./bank --accounts 3: 1 finding (1 confirmed)\n"))
      << render(report);
  report.findings.clear();
  EXPECT_TRUE(contains(render(report), ": no findings are stored\n"));
}

TEST(TextReporter, ABriefReportHasALineForEachFinding) {
  Report report = assertionReport();
  report.brief = true;
  report.runs = 0;
  report.seconds = 0;
  report.warnings.clear();
  report.summary.clear();
  report.notSeen.clear();
  const Finding& finding = report.findings[0];
  const std::string text = render(report);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
  EXPECT_EQ(text.rfind(finding.id, 0), 0u) << text;
  for (const char* part : {" assertion ", " confirmed ", "bank.cpp:"})
    EXPECT_TRUE(contains(text.substr(0, text.find('\n')), part)) << text;
}

TEST(Interleaving, AColumnPerThread) {
  const auto lines = interleavingTable(assertionReport().findings[0], 60);
  ASSERT_EQ(lines.size(), 9u);
  const size_t left = lines[0].find("T1 rent");
  const size_t right = lines[0].find("T2");
  ASSERT_NE(left, std::string::npos);
  ASSERT_NE(right, std::string::npos);
  EXPECT_EQ(lines[2].find("read Account::balance_ = 100"), left);
  EXPECT_EQ(lines[5].find("read Account::balance_ = 100"), right);
  EXPECT_EQ(lines[4].rfind(">>", 0), 0u);
  EXPECT_NE(lines[5].rfind(">>", 0), 0u);
  EXPECT_EQ(lines[2].substr(lines[2].size() - 14), "bank.cpp:20:12");
}

TEST(Interleaving, ManyThreadsShareAColumn) {
  const auto lines = interleavingTable(hostileReport().findings[0], 1000);
  ASSERT_EQ(lines.size(), 101u);
  EXPECT_NE(lines[0].find("thread"), std::string::npos);
  EXPECT_NE(lines[0].find("action"), std::string::npos);
  EXPECT_NE(lines[1].find("T0 main"), std::string::npos);
}

TEST(Interleaving, TheMiddleOfALongOneIsLeftOut) {
  const auto lines = interleavingTable(hostileReport().findings[0], 30);
  ASSERT_EQ(lines.size(), 32u);
  EXPECT_NE(lines[11].find("70 steps left out"), std::string::npos) << lines[11];
  EXPECT_NE(lines[10].find("call f9"), std::string::npos);
  EXPECT_NE(lines[12].find("call f80"), std::string::npos);
  EXPECT_NE(lines.back().find("call f99"), std::string::npos);
}

TEST(Interleaving, LongCellsAreCutInTheMiddle) {
  Finding finding;
  const std::string umlauts = "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6";
  finding.steps = {{1, 0, {}, "read " + std::string(60, 'x') + umlauts, "= 42", false},
                   {2, 0, {}, umlauts + std::string(60, 'x') + "::member", "", false}};
  const auto lines = interleavingTable(finding, 60);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_NE(lines[1].find("read xxxxxxxxxxxx…xxxxxxxxxxxx" + umlauts + " = 42"), std::string::npos)
      << lines[1];
  EXPECT_NE(lines[2].find(umlauts + "xxxxxxxxxxxxxxx…xxxxxxxxxxx::member"), std::string::npos)
      << lines[2];
}

TEST(Interleaving, WithoutStepsThereIsNoTable) {
  EXPECT_TRUE(interleavingTable(Finding(), 60).empty());
}

TEST(Wording, ThePrimaryLocationIsTheFailuresThenTheFirstKnown) {
  Finding finding = assertionReport().findings[0];
  EXPECT_EQ(primaryLocation(finding).line, 31u);
  finding = raceReport().findings[0];
  EXPECT_EQ(primaryLocation(finding).line, 12u);
  finding.sites[0].location.file = "/usr/include/c++/12/vector";
  EXPECT_EQ(primaryLocation(finding).line, 12u) << "the call that led there";
  finding.sites[0].location.file.clear();
  finding.sites[0].stack.clear();
  EXPECT_EQ(primaryLocation(finding).line, 11u);
  finding = deadlockReport().findings[0];
  finding.sites.clear();
  EXPECT_EQ(primaryLocation(finding).line, 69u);
  EXPECT_TRUE(primaryLocation(Finding()).file.empty());
}

TEST(Wording, WhatIsNotKnownIsLeftOutOfALocation) {
  EXPECT_EQ(locationText({"a.c", 3, 4, ""}), "a.c:3:4");
  EXPECT_EQ(locationText({"a.c", 3, 0, ""}), "a.c:3");
  EXPECT_EQ(locationText({"a.c", 0, 4, ""}), "a.c");
  EXPECT_EQ(locationText({}), "");
}

} // namespace heddle::test
