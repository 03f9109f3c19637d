#pragma once

#include "model/site_catalog.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace heddle {

/// An executable or shared library that a process has mapped.
struct ProgramModule {
  std::string path;
  std::string buildId;
  bool instrumented = false;                ///< has sites of its own
  std::vector<std::string> unseenFunctions; ///< of an instrumented one; see unseen_functions.h
  bool modelled = false; ///< the C and C++ libraries: the runtime knows what they do
};

/// The modules of a process, the executable first, the others sorted by path. Empty when there is
/// no such process.
std::vector<ProgramModule> readModules(pid_t process, const SiteCatalog& sites);

/// The files that a list of mappings (the text of /proc/PID/maps) has as code.
std::vector<std::string> codeFiles(const std::string& maps);

} // namespace heddle
