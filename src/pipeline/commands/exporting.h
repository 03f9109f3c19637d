#pragma once

#include "model/result.h"
#include "store/store.h"

#include <string>
#include <vector>

namespace heddle {

struct ExportedFile {
  std::string path;
  std::vector<std::string> warnings;
};

/// Writes a stored finding with its run, its scheduling points and, with `withProgram`, the
/// program's own files into one file; "" as path takes the id. Values of environment variables
/// that look like secrets are replaced by as many 'x'.
Result<ExportedFile> exportFinding(const std::string& storeDirectory, const std::string& id,
                                   const std::string& path, bool withProgram);

/// Whether a variable's name suggests that its value is for nobody else.
bool looksSecret(const std::string& name);

} // namespace heddle
