#pragma once

#include "pipeline/commands/command_result.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

struct AnalyzeRequest {
  std::vector<std::string> files; ///< programs, libraries, objects, archives, .bc files
  unsigned contextDepth = 2;
  std::vector<std::string> interfaces = {};       ///< classes or functions of an open program
  std::vector<std::string> interfaceHeaders = {}; ///< or files that declare them
  std::string annotations = {};                   ///< a file
  std::string explain = {};                       ///< FILE:LINE
  bool groupByObject = false;
  bool everyPath = false;
  bool accessPairs = false;
  bool localSites = false;
  bool all = false;  ///< text: what is less likely, too
  size_t limit = 20; ///< text: most findings
  ProgressListener progress = {};
};

/// `heddle analyze`: potential races of the program in the files, found without running it.
Result<CommandResult> analyzeFiles(const AnalyzeRequest& request, const Options& options);

} // namespace heddle
