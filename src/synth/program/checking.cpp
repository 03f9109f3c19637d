#include "synth/program/checking.h"

#include "control/interrupt.h"
#include "synth/program/check_program.h"
#include "synth/program/commands.h"

#include <chrono>
#include <filesystem>
#include <fstream>

namespace heddle::synth {
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kCompileSeconds = 900;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string stemOf(const std::string& file) { return fs::path(file).stem().string(); }

/// The main function that a framework would give.
const char* mainOf(Framework framework) {
  switch (framework) {
  case Framework::Plain:
    return nullptr;
  case Framework::GoogleTest:
    return "#include <gtest/gtest.h>\n"
           "int main(int argc, char** argv) {\n"
           "  testing::InitGoogleTest(&argc, argv);\n"
           "  return RUN_ALL_TESTS();\n"
           "}\n";
  case Framework::Catch2:
    return "#if __has_include(<catch2/catch_session.hpp>)\n"
           "#include <catch2/catch_session.hpp>\n"
           "int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }\n"
           "#else\n"
           "#define CATCH_CONFIG_MAIN\n"
           "#include <catch2/catch.hpp>\n"
           "#endif\n";
  }
  return nullptr;
}

class TestChecker {
public:
  TestChecker(const GenerationRequest& request, const CheckRequest& check, const Tools& tools,
              const std::string& scratch, GeneratedTests& tests)
      : request_(request), check_(check), tools_(tools), scratch_(scratch), tests_(tests),
        folder_((fs::path(request.folder) / "build").string()) {}

  Result<CheckedTests> run() {
    auto begin = Clock::now();
    say("runs the serial orders");
    serial_ = runSerially(request_, tools_, tests_, scratch_);
    dropTests(tests_, serial_.dropped);
    tests_.options.legal = serial_.legal;
    if (Status status = writeAgain(request_, tests_); !status)
      return status.error();
    checked_.serialSeconds = secondsSince(begin);
    begin = Clock::now();
    if (Status status = build(); !status)
      return status.error();
    checked_.buildSeconds = secondsSince(begin);
    begin = Clock::now();
    checkAll();
    checked_.checkSeconds = secondsSince(begin);
    if (Status status = writeWhatWasSeen(); !status)
      return status.error();
    return std::move(checked_);
  }

private:
  void say(const std::string& text) const {
    if (request_.recording.listener)
      request_.recording.listener(text);
  }

  Status build() {
    say("builds the tests");
    std::error_code error;
    fs::create_directories(folder_, error);
    std::vector<CommandLine> commands;
    for (const SourceFile& file : tests_.written.files)
      commands.push_back(commandFor(file));
    auto ends = runCommands(commands, request_.recording.jobs, kCompileSeconds);
    for (size_t i = 0; i < ends.size(); ++i)
      if (!ends[i].succeeded())
        return Error{tests_.written.files[i].name + " cannot be built: heddle-c++ " +
                         ends[i].text() + "\n" + ends[i].output.substr(0, 2000),
                     ErrorKind::Usage};
    return Success{};
  }

  CommandLine commandFor(const SourceFile& file) const {
    CommandLine command{{tools_.compiler, "-w", "-g", "-O1"}, "", {}};
    auto add = [&](const std::vector<std::string>& words) {
      command.words.insert(command.words.end(), words.begin(), words.end());
    };
    add(compileWords(tests_.client.words));
    add({(fs::path(request_.folder) / file.name).string()});
    if (const char* text = mainOf(tests_.options.framework)) {
      std::string path = (fs::path(scratch_) / "main.cpp").string();
      std::ofstream(path) << text;
      add({path});
    }
    add(tests_.client.words.sources);
    add(tests_.client.words.libraries);
    if (tests_.options.framework == Framework::GoogleTest)
      add({"-pthread"});
    add({"-o", (fs::path(folder_) / stemOf(file.name)).string()});
    return command;
  }

  void checkAll() {
    size_t done = 0;
    for (const SynthesizedTest& test : tests_.synthesis.tests) {
      if (interrupted())
        return;
      say("checks test " + std::to_string(++done) + " of " +
          std::to_string(tests_.synthesis.tests.size()));
      auto name = tests_.written.names.find(test.text);
      if (name != tests_.written.names.end())
        checked_.tests[test.text] = check(test, name->second);
    }
  }

  /// A test that was made for its outcome announces nothing before a run has shown one that is
  /// not serial: without it, it goes. One that announces a race stays, and says what became of it.
  Status writeWhatWasSeen() {
    if (interrupted())
      return Success{};
    std::map<std::string, std::string> silent;
    for (const SynthesizedTest& test : tests_.synthesis.tests) {
      auto checked = checked_.tests.find(test.text);
      if (checked == checked_.tests.end() || checked->second.nothing.empty())
        continue;
      if (test.aim == Aim::Outcome)
        silent[test.text] = "shows nothing: " + checked->second.nothing;
      else
        tests_.options.remarks[test.text] = "heddle check: " + checked->second.nothing + ".";
    }
    for (const auto& [line, reason] : silent)
      checked_.tests.erase(line);
    dropTests(tests_, silent);
    Status status = writeAgain(request_, tests_);
    for (auto& [line, checked] : checked_.tests) // names count those that are left
      if (auto name = tests_.written.names.find(line); name != tests_.written.names.end())
        checked.name = name->second;
    return status;
  }

  CheckedTest check(const SynthesizedTest& test, const std::string& name) const {
    size_t colon = name.find(':');
    CheckProgram program;
    program.heddle = tools_.heddle;
    program.executable = (fs::path(folder_) / stemOf(name.substr(0, colon))).string();
    program.arguments = argumentsFor(stemOf(name.substr(0, colon)), name.substr(colon + 1));
    program.store = check_.store;
    program.report = (fs::path(scratch_) / "report.json").string();
    program.seconds = check_.secondsPerTest;
    program.jobs = check_.jobs;
    CheckOutcome outcome = checkProgram(program);
    CheckedTest checked;
    checked.name = name;
    checked.runs = outcome.runs;
    checked.seconds = outcome.seconds;
    checked.isAsserted = serial_.legal.contains(test.text);
    for (const CheckedFinding& finding : outcome.findings) {
      // Where a call may block when it is alone, threads that wait for ever are no surprise.
      bool isWaiting = finding.kind == "deadlock" || finding.kind == "hang";
      if (isWaiting && serial_.canBlock.contains(test.text))
        continue;
      checked.findings.push_back(finding.id);
      checked.kinds.push_back(finding.kind);
      checked.statuses.push_back(finding.status);
      bool hasOutcome = finding.kind == "not-linearizable" || finding.failure == "not-linearizable";
      checked.hasOutcome |= hasOutcome;
      checked.isAnnounced |= hasOutcome || isAnnounced(test, finding);
    }
    if (checked.findings.empty())
      checked.nothing = reason(test, outcome);
    return checked;
  }

  std::string reason(const SynthesizedTest& test, const CheckOutcome& outcome) const {
    if (!outcome.problem.empty())
      return outcome.problem;
    auto undecided = serial_.undecided.find(test.text);
    return "no race and no other failure in " + std::to_string(outcome.runs) + " runs" +
           (undecided == serial_.undecided.end() ? "" : "; " + undecided->second);
  }

  std::vector<std::string> argumentsFor(const std::string& stem, const std::string& test) const {
    std::string suite = stem.substr(0, stem.rfind("_test"));
    switch (tests_.options.framework) {
    case Framework::Plain:
      return {test};
    case Framework::GoogleTest:
      return {"--gtest_filter=" + suite + "." + test};
    case Framework::Catch2:
      return {suite + ": " + test};
    }
    return {};
  }

  /// Whether it is about lines that the pairs of the test are about.
  bool isAnnounced(const SynthesizedTest& test, const CheckedFinding& finding) const {
    for (const RacingPair& pair : test.pairs)
      for (const RaceSide& side : pair.sides) {
        const Place& place = tests_.synthesis.calls[raw(side.call)].accesses[side.access].place;
        for (const auto& [file, line] : finding.places)
          if (line == place.line && fs::path(file).filename() == fs::path(place.file).filename())
            return true;
      }
    return false;
  }

  const GenerationRequest& request_;
  const CheckRequest& check_;
  const Tools& tools_;
  std::string scratch_;
  GeneratedTests& tests_;
  std::string folder_;
  SerialRuns serial_;
  CheckedTests checked_;
};

} // namespace

Result<CheckedTests> checkTests(const GenerationRequest& request, const CheckRequest& check,
                                const Tools& tools, const std::string& scratch,
                                GeneratedTests& tests) {
  return TestChecker(request, check, tools, scratch, tests).run();
}

} // namespace heddle::synth
