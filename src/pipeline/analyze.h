#pragma once

#include "pipeline/campaign.h"
#include "pipeline/check.h"

namespace heddle {

struct AnalyzeRequest {
  std::vector<std::string> files; ///< programs, libraries, objects, archives, .bc files
  unsigned contextDepth = 2;
  ProgressListener progress = {};
};

/// `heddle analyze`: potential races of the program in the files, found without running it.
Result<CommandResult> analyzeFiles(const AnalyzeRequest& request, const Options& options);

} // namespace heddle
