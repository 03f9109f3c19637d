#pragma once

#include "synth/program/recording.h"
#include "synth/source_writer.h"

#include <string>
#include <vector>

namespace heddle::synth {

/// How tests of the library are compiled and linked, learned from the sequential ones.
struct ClientBuild {
  Framework framework = Framework::Plain;
  std::vector<std::string> includes; ///< as written in an #include
  std::string prelude;               ///< source before them, where the library is in a test's file
  TestBuild words;
  std::vector<std::string> warnings;
};

ClientBuild learnBuild(const Recording& recording);

/// The words between the compiler and the source file.
std::vector<std::string> compileWords(const TestBuild& build);

} // namespace heddle::synth
