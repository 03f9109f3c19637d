#pragma once

#include "pipeline/candidates/static_targets.h"
#include "pipeline/stages/search_state.h"
#include "pipeline/stages/stage.h"

#include <set>

namespace heddle {

/// Adds pairs that the static analysis cannot exclude to the candidates, where there is hope to
/// get there: a check tries those whose accesses runs have executed, `races` also those with one of
/// them. The analysis runs before the first run if it is quick, else before the recordings, which
/// leave out the sites that it has shown to be local.
class StaticPairs final : public Stage {
public:
  explicit StaticPairs(SearchState& search) : search_(search) {}
  Status prepare() override;
  void begin() override { analyze(); }
  Turn advance() override;

  /// Pairs that recordings have not shown.
  size_t added() const { return added_; }
  /// Whether the analysis knows this candidate, or only such ones are asked for by nobody.
  bool mayForce(const Candidate& candidate) const;
  /// --targets=static: nothing else is forced.
  bool isOnlySource() const { return search_.context.options().targets == "static"; }

private:
  void analyze();

  SearchState& search_;
  std::shared_ptr<const StaticTargets> targets_; ///< null: not asked for
  std::set<std::vector<CandidateSide>> sides_;
  size_t added_ = 0;
};

} // namespace heddle
