#pragma once

#include "model/build_record.h"
#include "model/result.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::synth {

/// What a program that was compiled with heddle-c++ says of its making.
struct ProgramBuild {
  std::vector<std::string> units;    ///< the bitcode of each, in link order
  std::vector<BuildRecord> compiles; ///< of units that a driver compiled
  std::optional<BuildRecord> link;   ///< of an executable that a driver linked
};

/// Reads an executable, a library or an object. A file that has nothing of it gives an empty
/// build; errors are files that cannot be read.
Result<ProgramBuild> readBuild(const std::string& path);

/// The path as it is from anywhere.
std::string absolutePath(const std::string& directory, const std::string& path);

} // namespace heddle::synth
