#pragma once

#include "synth/program/client_build.h"
#include "synth/program/recording.h"
#include "synth/synthesis.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::synth {

/// What `heddle synth` is asked for.
struct GenerationRequest {
  RecordingRequest recording;
  std::vector<std::string> classes; ///< as the user names them; empty: all
  Contract contract = Contract::AsItLooks;
  std::string folder;  ///< for the tests
  bool random = false; ///< the baseline: tests by chance
};

/// Tests that are written, or that would have been but for the reason.
struct GeneratedTests {
  Recording recording;
  ClientBuild client;
  Synthesis synthesis; ///< its tests are those that were written
  SourceOptions options;
  WrittenTests written;
  std::vector<UnwrittenTest> dropped; ///< with why, in a sentence
  std::vector<std::string> classes;   ///< full names of those that were asked for
  double recordingSeconds = 0;
  double synthesisSeconds = 0; ///< analysis, contexts, writing
  double compilingSeconds = 0; ///< to see that the files compile
};

/// Records, synthesizes and writes into the folder. Each file has been compiled once: a test that
/// does not compile is dropped with the compiler's message.
Result<GeneratedTests> generateTests(const GenerationRequest& request, const Tools& tools);

/// The full names of the classes that the user means; errors name the nearest one that is there.
Result<std::set<std::string>> findClasses(const SeedTrace& trace,
                                          const std::vector<std::string>& names);

/// Writes the tests once more, after some were dropped or outcomes became known.
Status writeAgain(const GenerationRequest& request, GeneratedTests& tests);

/// Leaves tests out, by their lines, with the reason.
void dropTests(GeneratedTests& tests, const std::map<std::string, std::string>& reasons);

} // namespace heddle::synth
