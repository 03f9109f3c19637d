#include "pipeline/stages/search_state.h"

#include <algorithm>

namespace heddle {

bool SearchState::isDone() const {
  if (context.options().keep_going)
    return false;
  const auto& findings = judging.judge().findings().all();
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.failure.has_value(); });
}

} // namespace heddle
