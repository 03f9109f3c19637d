#pragma once

#include "pipeline/judging/pattern_causes.h"
#include "pipeline/stages/search_state.h"
#include "pipeline/stages/stage.h"

#include <set>

namespace heddle {

/// What a command does with atomic sets: profiles, forces the patterns that could be triggered,
/// judges them. Failures of other stages are traced back by its PatternCauses.
class Patterns final : public Stage {
public:
  /// `known`: causes of failures (causeOf) that need no violation.
  Patterns(SearchState& search, const std::set<std::string>& known);

  Status prepare() override { return causes_.readSets(); }
  /// Of a check it reports no notes, and leaves long runs to sampling.
  Turn advance() override;

private:
  Status force();
  Status forcePatterns(const std::vector<Candidate>& candidates);
  Status compareWith(const std::string& method);
  void addLines() const;

  SearchState& search_;
  const std::set<std::string>& known_;
  Forcing forcing_;
  PatternCauses causes_;
};

} // namespace heddle
