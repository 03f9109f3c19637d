#include "synth/program/test_generation.h"

#include "control/interrupt.h"
#include "model/spelling.h"
#include "synth/program/commands.h"
#include "synth/program/compile_errors.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

namespace heddle::synth {
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kCompileSeconds = 300;
constexpr int kMaxAttempts = 4; ///< to leave out single tests of a file that does not compile
constexpr const char* kFirstLine = "// Written by heddle synth";

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string withoutArguments(const std::string& name) { return name.substr(0, name.find('<')); }

std::string lastPart(const std::string& name) {
  std::string bare = withoutArguments(name);
  size_t colons = bare.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

/// Whether the user may mean the class by this name: with or without namespaces and arguments.
bool isNamed(const std::string& full, const std::string& name) {
  return full == name || withoutArguments(full) == name || lastPart(full) == name ||
         withoutArguments(lastPart(full)) == name;
}

/// Classes that the sequential tests call.
std::set<std::string> calledClasses(const SeedTrace& trace) {
  std::set<std::string> classes;
  for (const SeedEvent& event : trace.events)
    if (event.kind == EventKind::Call)
      classes.insert(trace.types[trace.methods[raw(event.method)].ownerClass].name);
  classes.erase("");
  return classes;
}

Status checkRecording(const Recording& recording, const GenerationRequest& request) {
  for (const SeedEvent& event : recording.trace.events)
    if (event.kind == EventKind::Call)
      return Success{};
  bool isDefault = request.recording.own == std::vector<std::string>{"*"};
  std::string text = "the sequential tests never call the library";
  if (recording.trace.units.empty())
    return Error{text + ": there is no debug information that tells which code that is; compile "
                        "with -g",
                 ErrorKind::Usage};
  if (isDefault)
    return Error{text + ": all code that they run is in the files of the tests themselves or in "
                        "folders of the system; --own PATH or --own NAMESPACE says what the "
                        "library is (a class's name works, too)",
                 ErrorKind::Usage};
  return Error{text + ": nothing that they call is under --own " + request.recording.own[0],
               ErrorKind::Usage};
}

Status putFile(const fs::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  if (!file)
    return Error{"cannot write " + path.string(), ErrorKind::Environment};
  return Success{};
}

/// What an earlier synthesis has left, and only that.
void removeEarlier(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".cpp")
      continue;
    std::ifstream file(entry.path());
    std::string line;
    std::getline(file, line);
    if (line.starts_with(kFirstLine))
      fs::remove(entry.path(), ignored);
  }
}

/// Compiles the files and says of each test that does not compile why.
class CompileCheck {
public:
  CompileCheck(const GenerationRequest& request, const Tools& tools, const GeneratedTests& tests,
               std::set<std::string>& compiled)
      : request_(request), tools_(tools), tests_(tests), compiled_(compiled) {
    for (const auto& [line, name] : tests.written.names)
      lines_[name] = line;
  }

  /// With `all`, every test of a file that does not compile is one of them.
  std::map<std::string, std::string> problems(bool all) {
    std::vector<const SourceFile*> files;
    std::vector<CommandLine> commands;
    for (const SourceFile& file : tests_.written.files)
      if (!compiled_.contains(file.text)) {
        files.push_back(&file);
        commands.push_back(commandFor(file));
      }
    auto ends = runCommands(commands, request_.recording.jobs, kCompileSeconds);
    for (size_t i = 0; i < ends.size(); ++i)
      if (ends[i].succeeded())
        compiled_.insert(files[i]->text);
      else
        addProblems(*files[i], ends[i], all);
    return std::move(problems_);
  }

private:
  CommandLine commandFor(const SourceFile& file) const {
    CommandLine command{{tools_.clang, "-fsyntax-only", "-w", "-ferror-limit=0",
                         "-fno-caret-diagnostics", "-fno-color-diagnostics"},
                        "",
                        {}};
    std::vector<std::string> words = compileWords(tests_.client.words);
    command.words.insert(command.words.end(), words.begin(), words.end());
    command.words.push_back((fs::path(request_.folder) / file.name).string());
    return command;
  }

  void addProblems(const SourceFile& file, const CommandEnd& end, bool all) {
    std::string path = (fs::path(request_.folder) / file.name).string();
    auto blamed = blamedTests(file, path, end.output);
    std::string message = blamed.empty() ? end.text() : blamed.begin()->second;
    if (all || blamed.empty())
      for (const std::string& test : file.tests)
        blamed.emplace(test, message);
    for (const auto& [test, words] : blamed)
      problems_[lines_[file.name + ":" + test]] =
          end.timedOut ? "takes too long to compile" : "does not compile: " + words;
  }

  const GenerationRequest& request_;
  const Tools& tools_;
  const GeneratedTests& tests_;
  std::set<std::string>& compiled_;
  std::map<std::string, std::string> lines_; ///< "file:name" -> the test's line
  std::map<std::string, std::string> problems_;
};

/// Ends when everything compiles: each round drops at least one test.
Status dropWhatDoesNotCompile(const GenerationRequest& request, const Tools& tools,
                              GeneratedTests& tests) {
  std::set<std::string> compiled; // texts that need no second look
  for (int attempt = 0;; ++attempt) {
    auto problems = CompileCheck(request, tools, tests, compiled).problems(attempt >= kMaxAttempts);
    if (interrupted())
      return Error{"interrupted before all that was written had been compiled",
                   ErrorKind::Interrupted};
    if (problems.empty())
      return Success{};
    dropTests(tests, problems);
    if (Status status = writeAgain(request, tests); !status)
      return status;
  }
}

void listUnwritten(GeneratedTests& tests) {
  std::set<std::string> unwritten;
  for (const UnwrittenTest& one : tests.written.unwritten) {
    unwritten.insert(one.test);
    tests.dropped.push_back(one);
  }
  std::erase_if(tests.synthesis.tests,
                [&](const SynthesizedTest& one) { return unwritten.contains(one.text); });
}

} // namespace

Result<std::set<std::string>> findClasses(const SeedTrace& trace,
                                          const std::vector<std::string>& names) {
  std::set<std::string> known = calledClasses(trace);
  std::set<std::string> found;
  for (const std::string& name : names) {
    size_t before = found.size();
    for (const std::string& one : known)
      if (isNamed(one, name))
        found.insert(one);
    if (found.size() != before)
      continue;
    std::vector<std::string> spellings(known.begin(), known.end());
    for (const std::string& one : known)
      spellings.push_back(withoutArguments(lastPart(one)));
    std::string near = didYouMean(name, spellings);
    std::string list;
    for (const std::string& one : known)
      list += (list.empty() ? "" : ", ") + one;
    return Error{"no class " + name + " is called by the sequential tests" +
                     (near.empty() ? "; they call " + list : "; did you mean " + near + "?"),
                 ErrorKind::Usage};
  }
  return found;
}

void dropTests(GeneratedTests& tests, const std::map<std::string, std::string>& reasons) {
  for (const auto& [line, reason] : reasons)
    tests.dropped.push_back({line, reason});
  std::erase_if(tests.synthesis.tests,
                [&](const SynthesizedTest& one) { return reasons.contains(one.text); });
}

Status writeAgain(const GenerationRequest& request, GeneratedTests& tests) {
  std::error_code error;
  fs::create_directories(request.folder, error);
  if (error || !fs::is_directory(request.folder))
    return Error{request.folder + " cannot be made a folder for the tests", ErrorKind::Environment};
  removeEarlier(request.folder);
  tests.written = writeTests(tests.recording.trace, tests.synthesis, tests.options);
  for (const SourceFile& file : tests.written.files)
    if (Status status = putFile(fs::path(request.folder) / file.name, file.text); !status)
      return status;
  return putFile(fs::path(request.folder) / "CMakeLists.txt",
                 writeCMake(tests.written, tests.options, tests.client.words));
}

Result<GeneratedTests> generateTests(const GenerationRequest& request, const Tools& tools) {
  auto say = [&](const std::string& text) {
    if (request.recording.listener)
      request.recording.listener(text);
  };
  GeneratedTests tests;
  auto begin = Clock::now();
  auto recording = record(request.recording, tools);
  if (!recording)
    return recording.error();
  tests.recording = std::move(*recording);
  tests.recordingSeconds = secondsSince(begin);
  if (Status status = checkRecording(tests.recording, request); !status)
    return status.error();
  begin = Clock::now();
  auto classes = findClasses(tests.recording.trace, request.classes);
  if (!classes)
    return classes.error();
  tests.classes.assign(classes->begin(), classes->end());
  say("derives contexts");
  tests.synthesis =
      synthesize(tests.recording.trace, {request.contract, *classes, true, request.random});
  tests.client = learnBuild(tests.recording);
  tests.options.framework = tests.client.framework;
  tests.options.prelude = tests.client.prelude;
  tests.options.includes = tests.client.includes;
  if (Status status = writeAgain(request, tests); !status)
    return status.error();
  listUnwritten(tests);
  tests.synthesisSeconds = secondsSince(begin);
  begin = Clock::now();
  say("compiles what was written");
  if (Status status = dropWhatDoesNotCompile(request, tools, tests); !status)
    return status.error();
  tests.compilingSeconds = secondsSince(begin);
  return tests;
}

} // namespace heddle::synth
