#include "cli/command.h"
#include "cli/console.h"
#include "control/interrupt.h"
#include "synth/program/summary.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <thread>

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone afterwards.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "heddle-synth-XXXXXX").string();
    if (mkdtemp(name.data()))
      path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty())
      fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

class SynthCommand : public Command {
public:
  const char* name() const override { return "synth"; }
  bool takesProgram() const override { return false; }
  const char* operands() const override {
    return "./sequential-tests -o DIR [-- arguments of the tests]";
  }
  const char* summary() const override {
    return "write concurrent tests of a library from its sequential ones";
  }
  std::vector<std::string> optionKeys() const override {
    return {"format", "jobs", "seconds", "store"};
  }
  void addArguments(CLI::App& app) override {
    app.add_option("-o,--output", folder_, "folder for the tests that are written");
    app.add_option("--class", classes_, "only tests of these classes")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--own", own_,
                   "paths, namespaces or classes that are the library; default: all code that "
                   "stands neither in a folder of the system nor in a file with tests")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--contract", contract_,
                   "what may be called at the same time: anything, or as for the standard library "
                   "only const members of one object; default: anything where the class has a "
                   "mutex or an atomic member")
        ->check(CLI::IsMember({"basic", "thread-safe"}));
    app.add_flag("--random", random_,
                 "the baseline: as many tests, but with calls and objects chosen by chance");
    app.add_flag("--check", check_, "build the tests and give each to heddle check");
  }
  int execute(const Input& input) override {
    if (input.words.empty())
      return printError({"synth needs the program with the sequential tests\n"
                         "  heddle synth ./tests -o concurrent",
                         ErrorKind::Usage});
    if (folder_.empty())
      return printError({"synth needs a folder for the tests: -o DIR", ErrorKind::Usage});
    auto program = locateProgram(wordsOf(input));
    if (!program)
      return printError(program.error());
    auto tools = synth::findTools();
    if (!tools)
      return printError(tools.error());
    TemporaryFolder scratch;
    if (scratch.path().empty())
      return printError({"no temporary folder can be made in " + fs::temp_directory_path().string(),
                         ErrorKind::Environment});
    return generate(*program, *tools, scratch.path(), input.options);
  }

private:
  int generate(const Program& program, const synth::Tools& tools, const std::string& scratch,
               const Options& options) {
    auto begin = std::chrono::steady_clock::now();
    synth::GenerationRequest request = requestFor(program, scratch, options);
    auto tests = synth::generateTests(request, tools);
    if (!tests)
      return interrupted() ? int{kExitInterrupted} : printError(tests.error());
    for (const std::string& warning : tests->client.warnings)
      printWarning(warning);
    if (tests->recording.trace.isCut)
      printWarning("the sequential tests do too much to be recorded to their end; what was "
                   "recorded is used");
    CommandResult result;
    std::string text;
    std::optional<SynthChecks> checks;
    if (check_ && !tests->synthesis.tests.empty()) {
      auto checked = synth::checkTests(request, checkFor(options, *tests), tools, scratch, *tests);
      if (!checked)
        return interrupted() ? int{kExitInterrupted} : printError(checked.error());
      addFindings(*checked, options, result.report);
      checks = synth::checksOf(*checked);
      text = synth::checkText(*checked);
    }
    endProgress();
    text = synth::summaryText(*tests, folder_) + text;
    result.report.command = name();
    result.report.program = program.arguments;
    SynthSummary& facts = result.report.factsAs<SynthSummary>();
    facts = synth::summaryOf(*tests, folder_);
    facts.checks = std::move(checks);
    result.report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return finish(result, text, options);
  }

  static synth::CheckRequest checkFor(const Options& options, const synth::GeneratedTests& tests) {
    synth::CheckRequest check;
    check.store = options.store;
    if (options.seconds > 0)
      check.secondsPerTest =
          std::max(1.0, options.seconds / static_cast<double>(tests.synthesis.tests.size()));
    check.jobs = options.jobs;
    return check;
  }

  /// Each finding once, with the first test that shows it.
  static void addFindings(const synth::CheckedTests& checked, const Options& options,
                          Report& report) {
    std::set<std::string> known;
    auto store = openStore(options);
    for (const auto& [line, test] : checked.tests) {
      report.runs += test.runs;
      for (const std::string& id : test.findings) {
        if (!store || !known.insert(id).second)
          continue;
        auto stored = store->finding(id);
        if (!stored)
          continue;
        stored->finding.test = test.name;
        report.findings.push_back(std::move(stored->finding));
      }
    }
  }

  /// "./tests -- --filter=x": what follows "--" are arguments of the tests.
  static std::vector<std::string> wordsOf(const Input& input) {
    std::vector<std::string> words = input.words;
    std::erase(words, "--");
    return words;
  }

  synth::GenerationRequest requestFor(const Program& program, const std::string& scratch,
                                      const Options& options) const {
    synth::GenerationRequest request;
    request.recording.program = &program;
    for (const std::string& one : own_)
      request.recording.own.push_back(isPath(one) ? one : "::" + one);
    if (own_.empty())
      request.recording.own = {"*"};
    request.recording.folder = scratch;
    request.recording.jobs = options.jobs ? options.jobs : std::thread::hardware_concurrency();
    request.recording.listener = terminalLines();
    request.classes = classes_;
    request.folder = folder_;
    request.random = random_;
    if (contract_ == "basic")
      request.contract = synth::Contract::Basic;
    if (contract_ == "thread-safe")
      request.contract = synth::Contract::ThreadSafe;
    return request;
  }

  static bool isPath(const std::string& text) {
    return text.find('/') != std::string::npos || text.find('.') != std::string::npos ||
           fs::exists(text);
  }

  static synth::SynthesisListener terminalLines() {
    ProgressListener progress = terminalProgress();
    if (!progress)
      return nullptr;
    return [progress](const std::string& text) {
      StageProgress stage;
      stage.stage = "analysis: " + text;
      progress(stage);
    };
  }

  int finish(CommandResult& result, const std::string& text, const Options& options) const {
    std::ofstream(fs::path(folder_) / "summary.txt") << text;
    Options toFile = options;
    toFile.format = "json";
    toFile.output = (fs::path(folder_) / "summary.json").string();
    if (Status written = writeReport(result.report, toFile); !written)
      return printError(written.error());
    if (options.format != "text")
      return finishCommand(result, options, nullptr);
    if (!result.report.findings.empty())
      if (Status shown = writeReport(result.report, options); !shown)
        return printError(shown.error());
    return finishText(text, options, exitCodeOf(result, options));
  }

  std::string folder_;
  std::string contract_;
  std::vector<std::string> classes_;
  std::vector<std::string> own_;
  bool check_ = false;
  bool random_ = false;
};

} // namespace

std::unique_ptr<Command> makeSynthCommand() { return std::make_unique<SynthCommand>(); }

} // namespace heddle
