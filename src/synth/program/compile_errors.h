#pragma once

#include "synth/source_writer.h"

#include <map>
#include <string>

namespace heddle::synth {

/// Which tests of a generated file a compiler's messages are about: the name of each with its
/// first message. All of them where no test can be blamed.
std::map<std::string, std::string> blamedTests(const SourceFile& file, const std::string& path,
                                               const std::string& messages);

} // namespace heddle::synth
