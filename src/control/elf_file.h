#pragma once

#include "model/result.h"

#include <string>

namespace heddle {

/// What heddle must know about an executable or shared library before it starts it.
struct ElfFacts {
  bool dynamic = false;      ///< has an interpreter or a dynamic section
  bool runtime = false;      ///< has heddle's runtime linked in
  bool instrumented = false; ///< carries heddle's bitcode section or its registration function
  bool threadSanitizer = false;
  bool executable = false; ///< has an entry point: not a bare shared library
  std::string buildId;     ///< hex of the GNU build id, or "file-" and a hash of the contents
};

/// Reads the facts. Errors say what the file is instead of an x86-64 ELF program, and what to do.
Result<ElfFacts> readElf(const std::string& path);

} // namespace heddle
