#pragma once

#include "model/result.h"

#include <string>
#include <vector>

namespace heddle {

/// What heddle must know about an executable or shared library before it starts it.
struct ElfFacts {
  bool dynamic = false;      ///< has an interpreter or a dynamic section
  bool runtime = false;      ///< has heddle's runtime linked in
  bool instrumented = false; ///< carries heddle's bitcode section or its registration function
  bool threadSanitizer = false;
  bool executable = false; ///< has an entry point: not a bare shared library
  bool object = false;     ///< is not linked yet
  bool googleTest = false; ///< GoogleTest is linked in, or used from its shared library
  std::vector<std::string> heddleTests; ///< "Suite.Name" of each HEDDLE_TEST, in order of linking
  std::string buildId; ///< hex of the GNU build id, or "file-" and a hash of the contents
};

/// Reads the facts. Errors say what the file is instead of an x86-64 ELF program, and what to do.
Result<ElfFacts> readElf(const std::string& path);

} // namespace heddle
