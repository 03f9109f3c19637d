#include "synth/program/recording.h"

#include "synth/program/commands.h"
#include "synth/seed_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace heddle::synth {
namespace fs = std::filesystem;

namespace {

constexpr double kCompileSeconds = 600;
constexpr size_t kShownOutput = 2000;

std::string shownEnd(const std::string& output) {
  if (output.empty())
    return "";
  return "\n" + output.substr(output.size() - std::min(output.size(), kShownOutput));
}

std::string joined(const std::vector<std::string>& words, char separator) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : std::string(1, separator)) + word;
  return text;
}

class Recorder {
public:
  Recorder(const RecordingRequest& request, const Tools& tools)
      : request_(request), tools_(tools) {}

  Result<Recording> run() {
    if (Status status = readProgramBuild(); !status)
      return status.error();
    if (Status status = compileUnits(); !status)
      return status.error();
    if (Status status = link(); !status)
      return status.error();
    return runTests();
  }

private:
  std::string at(const std::string& name) const {
    return (fs::path(request_.folder) / name).string();
  }

  void say(const std::string& text) const {
    if (request_.listener)
      request_.listener(text);
  }

  Status readProgramBuild() {
    const std::string& path = request_.program->executable;
    auto build = readBuild(path);
    if (!build)
      return build.error();
    if (build->units.empty())
      return Error{path + " has no bitcode in it: compile the tests and the library with "
                          "heddle-c++ -g",
                   ErrorKind::Usage};
    if (!build->link)
      return Error{path + " does not say how it was linked: link it with heddle-c++ of this "
                          "version",
                   ErrorKind::Usage};
    recording_.link = sortLink(*build->link);
    for (const std::string& library : recording_.link.libraries)
      if (auto other = readBuild(library))
        build->units.insert(build->units.end(), other->units.begin(), other->units.end());
    recording_.build = std::move(*build);
    return Success{};
  }

  Status compileUnits() {
    std::vector<CommandLine> commands;
    for (size_t i = 0; i < recording_.build.units.size(); ++i) {
      std::string name = at("unit" + std::to_string(i));
      std::ofstream(name + ".bc", std::ios::binary) << recording_.build.units[i];
      objects_.push_back(name + ".o");
      commands.push_back({{tools_.clang, "-w", "-O0", "-fPIC", "-fpass-plugin=" + tools_.plugin,
                           "-c", "-x", "ir", name + ".bc", "-o", objects_.back()},
                          "",
                          {"HEDDLE_SEED=" + joined(request_.own, ';')}});
    }
    std::string total = std::to_string(commands.size());
    say("compiles " + total + " units for recording");
    auto ends = runCommands(commands, request_.jobs, kCompileSeconds, [&](size_t done) {
      say("compiles for recording: " + std::to_string(done) + " of " + total + " units");
    });
    for (const CommandEnd& end : ends)
      if (!end.succeeded())
        return Error{"a unit cannot be compiled for recording: clang " + end.text() +
                         shownEnd(end.output),
                     ErrorKind::Usage};
    return Success{};
  }

  Status link() {
    say("links for recording");
    CommandLine command{{tools_.clang, "-w", tools_.recorder}, "", {}};
    auto add = [&](const std::vector<std::string>& words) {
      command.words.insert(command.words.end(), words.begin(), words.end());
    };
    add(objects_);
    add(recording_.link.others);
    fs::path folder = fs::path(request_.program->executable).parent_path();
    // Archives may have units again that are here already.
    add({"-Wl,-z,muldefs", "-Wl,-rpath," + fs::absolute(folder).string(), "-pthread", "-o",
         at("sequential")});
    CommandEnd end = runCommand(command, kCompileSeconds);
    if (!end.succeeded())
      return Error{"the sequential tests cannot be linked for recording: clang " + end.text() +
                       shownEnd(end.output),
                   ErrorKind::Usage};
    return Success{};
  }

  Result<Recording> runTests() {
    say("records the sequential tests");
    CommandLine command{request_.program->arguments, request_.program->directory, {}};
    command.words[0] = at("sequential");
    command.environment = {"HEDDLE_SEED_FILE=" + at("seed"), "GTEST_OUTPUT=json:" + at("gtest")};
    CommandEnd end = runCommand(command, request_.seconds);
    std::ifstream file(at("seed"));
    if (!file)
      return Error{"the sequential tests told nothing: they " + end.text() + shownEnd(end.output),
                   ErrorKind::Usage};
    auto trace = readSeedTrace(file);
    if (!trace)
      return trace.error();
    recording_.trace = std::move(*trace);
    recording_.skipped = unusableTests(recording_.trace, end, at("gtest"));
    std::set<std::string> names;
    for (const SkippedTest& one : recording_.skipped)
      names.insert(one.name);
    recording_.tests = keepTests(recording_.trace, names);
    if (recording_.tests == 0 && !recording_.skipped.empty())
      return Error{"no sequential test can be used: " + recording_.skipped[0].name + " " +
                       recording_.skipped[0].reason + shownEnd(end.output),
                   ErrorKind::Usage};
    return std::move(recording_);
  }

  const RecordingRequest& request_;
  const Tools& tools_;
  Recording recording_;
  std::vector<std::string> objects_;
};

} // namespace

Result<Recording> record(const RecordingRequest& request, const Tools& tools) {
  return Recorder(request, tools).run();
}

} // namespace heddle::synth
