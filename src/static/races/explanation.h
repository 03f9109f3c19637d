#pragma once

#include "model/result.h"
#include "static/races/race_pairs.h"

namespace heddle::analysis {

/// Whether code of the program stands in the file; an error that says which name is near.
Status checkFile(const llvm::Module& module, const std::string& file);

/// Explains every access on a line of the source; calls into libraries count for what these do.
/// `file` may be the end of a path.
std::vector<AccessExplanation> explainLine(RacePairs& races, const Analyses& analyses,
                                           const std::string& file, unsigned line);

} // namespace heddle::analysis
