#pragma once

#include "synth/source_writer.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

/// Generated tests are compiled by the compiler that users have, and run.
namespace heddle::synth::test {

namespace fs = std::filesystem;

struct Ended {
  int status = -1;
  std::string output;
};

inline Ended run(const std::string& command) {
  Ended result;
  FILE* pipe = popen(("timeout 120 " + command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    result.output.append(buffer.data(), count);
  int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return result;
}

class Folder {
public:
  Folder() : path_(fs::temp_directory_path() / ("heddle-synth-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string at(const std::string& name) const { return (path_ / name).string(); }

private:
  fs::path path_;
};

inline Ended compile(const std::string& source, const std::string& program,
                     const std::string& flags, const std::string& compiler = "clang++-19") {
  return run(compiler + " -std=c++20 -g -O1 -Wall -Werror -I" HEDDLE_TEST_SOURCE_DIR "/programs " +
             source + " -o " + program + " -pthread " + flags);
}

inline WrittenTests writtenFor(const SeedTrace& trace, const std::string& header,
                               Framework framework, const Synthesis& synthesis) {
  SourceOptions options;
  options.framework = framework;
  options.includes = {"\"" + header + "\""};
  return writeTests(trace, synthesis, options);
}

/// Whether ThreadSanitizer reports a race in the test in one of twenty runs. It sees only what
/// happens to overlap, so a single run says nothing of the test.
inline bool threadSanitizerReports(const std::string& program, const std::string& test,
                                   const std::string& place) {
  constexpr int kRuns = 20;
  for (int i = 0; i < kRuns; ++i) {
    Ended seen = run("env TSAN_OPTIONS=halt_on_error=0 " + program + " " + test);
    if (seen.output.find("data race") != std::string::npos &&
        seen.output.find(place) != std::string::npos)
      return true;
  }
  return false;
}

} // namespace heddle::synth::test
