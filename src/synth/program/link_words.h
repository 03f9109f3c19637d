#pragma once

#include "model/build_record.h"

#include <string>
#include <vector>

namespace heddle::synth {

/// The words of a link by what they are, with paths that hold in any directory.
struct LinkWords {
  std::vector<std::string> sources;   ///< compiled and linked by one command
  std::vector<std::string> objects;   ///< that heddle-c++ has compiled
  std::vector<std::string> others;    ///< libraries, other objects, options of the linker, in order
  std::vector<std::string> libraries; ///< of the others, shared ones that heddle-c++ has compiled
};

/// `record` is that of a link.
LinkWords sortLink(const BuildRecord& record);

/// Whether a file of this name is compiled: C, C++, bitcode.
bool isSourceName(const std::string& path);

} // namespace heddle::synth
