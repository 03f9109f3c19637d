#include "synth/program/serial_runs.h"

#include "synth/program/commands.h"
#include "synth/program/compile_errors.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace heddle::synth {
namespace fs = std::filesystem;

namespace {

constexpr double kCompileSeconds = 600;
constexpr double kRunSeconds = 5; ///< a call that blocks has no other way to end
constexpr int kRepetitions = 2;
constexpr int kMaxAttempts = 4;

/// The line in which a sanitizer says what is wrong, or the last one.
std::string reasonIn(const CommandEnd& end) {
  size_t at = end.output.find("ERROR: AddressSanitizer: ");
  if (at != std::string::npos) {
    std::string line = end.output.substr(at + 7, end.output.find('\n', at) - at - 7);
    return line.substr(0, line.find(" on address"));
  }
  return "it " + end.text();
}

class SerialRunner {
public:
  SerialRunner(const GenerationRequest& request, const Tools& tools, const GeneratedTests& tests,
               const std::string& folder)
      : request_(request), tools_(tools), tests_(tests), folder_(folder),
        program_((fs::path(folder) / "serial").string()), synthesis_(tests.synthesis) {}

  SerialRuns run() {
    if (!compile())
      return std::move(runs_);
    std::vector<CommandLine> commands;
    for (const SynthesizedTest& test : synthesis_.tests)
      for (const char* order : {"12", "21"})
        for (int i = 0; i < kRepetitions; ++i)
          commands.push_back(
              {{program_, names_[test.text], order}, "", {"ASAN_OPTIONS=detect_leaks=0"}});
    auto ends = runCommands(commands, request_.recording.jobs, kRunSeconds);
    size_t next = 0;
    for (const SynthesizedTest& test : synthesis_.tests) {
      LegalOutcomes legal;
      bool failed = false;
      for (const SerialOrder& order : {SerialOrder{0, 1}, SerialOrder{1, 0}})
        for (int i = 0; i < kRepetitions; ++i)
          failed |= !add(test, order, ends[next++], legal);
      if (!failed)
        decide(test, legal);
    }
    return std::move(runs_);
  }

private:
  /// Leaves out tests whose results have no text form that compiles.
  bool compile() {
    for (int attempt = 0; attempt < kMaxAttempts && !synthesis_.tests.empty(); ++attempt) {
      names_ = writeTests(tests_.recording.trace, synthesis_, tests_.options).names;
      SourceFile file = writeSerialFile(tests_.recording.trace, synthesis_, tests_.options);
      std::string path = (fs::path(folder_) / file.name).string();
      std::ofstream(path) << file.text;
      CommandLine command{{tools_.clang, "-w", "-g", "-O1", "-fsanitize=address",
                           "-D_GLIBCXX_ASSERTIONS", "-pthread"},
                          "",
                          {}};
      auto add = [&](const std::vector<std::string>& words) {
        command.words.insert(command.words.end(), words.begin(), words.end());
      };
      add(compileWords(tests_.client.words));
      add({path});
      add(tests_.client.words.sources);
      add(tests_.client.words.libraries);
      add({"-o", program_});
      CommandEnd end = runCommand(command, kCompileSeconds);
      if (end.succeeded())
        return true;
      leaveOut(blamedTests(file, path, end.output));
    }
    return false;
  }

  void leaveOut(const std::map<std::string, std::string>& blamed) {
    std::erase_if(synthesis_.tests, [&](const SynthesizedTest& test) {
      auto found = blamed.find(names_[test.text]);
      if (found == blamed.end())
        return false;
      runs_.undecided[test.text] = "its outcome cannot be compared: " + found->second;
      return true;
    });
  }

  /// False: the test is no test, because it fails without a second thread.
  bool add(const SynthesizedTest& test, const SerialOrder& order, const CommandEnd& end,
           LegalOutcomes& legal) {
    Outcome outcome;
    if (end.timedOut) {
      outcome.isStuck = true;
      runs_.canBlock.insert(test.text);
    } else if (!end.succeeded()) {
      runs_.dropped[test.text] =
          "fails when its calls are made one after the other: " + reasonIn(end);
      return false;
    } else {
      size_t line = end.output.find_last_not_of('\n');
      std::string text = end.output.substr(0, line + 1);
      outcome.results = {
          text.substr(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1)};
    }
    legal.add(order, outcome);
    return true;
  }

  void decide(const SynthesizedTest& test, const LegalOutcomes& legal) {
    if (!legal.isDeterministic()) {
      runs_.undecided[test.text] = "a serial order, repeated, gives different outcomes";
      return;
    }
    std::vector<Outcome> outcomes;
    for (const Outcome& one : legal.outcomes())
      if (!one.isStuck)
        outcomes.push_back(one);
    if (outcomes.empty())
      runs_.dropped[test.text] = "blocks in every order of its calls";
    else
      runs_.legal[test.text] = std::move(outcomes);
  }

  const GenerationRequest& request_;
  const Tools& tools_;
  const GeneratedTests& tests_;
  std::string folder_;
  std::string program_;
  Synthesis synthesis_; ///< with the tests that are left
  std::map<std::string, std::string> names_;
  SerialRuns runs_;
};

} // namespace

SerialRuns runSerially(const GenerationRequest& request, const Tools& tools,
                       const GeneratedTests& tests, const std::string& folder) {
  return SerialRunner(request, tools, tests, folder).run();
}

} // namespace heddle::synth
