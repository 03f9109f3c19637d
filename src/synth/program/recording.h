#pragma once

#include "control/program.h"
#include "model/result.h"
#include "synth/program/link_words.h"
#include "synth/program/program_build.h"
#include "synth/program/test_results.h"
#include "synth/program/tools.h"
#include "synth/seed_trace.h"

#include <functional>
#include <string>
#include <vector>

namespace heddle::synth {

/// Told what is done now: "compiles unit 3 of 7".
using SynthesisListener = std::function<void(const std::string&)>;

/// What the sequential tests of a program did.
struct Recording {
  SeedTrace trace;
  ProgramBuild build;
  LinkWords link;
  std::vector<SkippedTest> skipped; ///< tests that are no example of how the library is used
  size_t tests = 0;                 ///< that are left
};

struct RecordingRequest {
  const Program* program = nullptr;
  std::vector<std::string> own; ///< as SeedZones of the pass takes it
  std::string folder;           ///< for what is compiled; exists
  double seconds = 300;         ///< that the tests may run
  size_t jobs = 1;
  SynthesisListener listener;
};

/// Compiles the bitcode that the program carries once more, with hooks that tell what a synthesis
/// needs, links it as the program was linked, runs it and reads what it told. The program itself
/// stays as it is. Errors say what is wrong with the program and what to do.
Result<Recording> record(const RecordingRequest& request, const Tools& tools);

} // namespace heddle::synth
