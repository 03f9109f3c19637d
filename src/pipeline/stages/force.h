#pragma once

#include "pipeline/judging/race_cases.h"
#include "pipeline/stages/search_state.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/static_pairs.h"

#include <optional>

namespace heddle {

/// Runs that are directed at candidates of races and deadlocks. It has news when recordings of
/// other stages have shown more of them, and is open while candidates are left for which there was
/// no time.
class Force final : public Stage {
public:
  /// `pairs` says what the static analysis knows of a candidate.
  Force(SearchState& search, const StaticPairs& pairs);

  Turn advance() override;
  bool wantsShortTurn() const override;
  /// Candidates in the order of their rank, one run each, then more.
  Turn advanceShortly() override;
  bool wantsMore() const override;
  bool hasNews() const override;
  bool hasOpen() const override { return forcing_.hasOpen(); }
  void finish() override;
  void summarize(Report& report) override;

  const RaceCases& cases() const { return cases_; }

private:
  Turn force();
  /// How much of the candidates has come about.
  uint64_t seen() const;
  /// Only `races` lists what no run can show.
  std::string weakText(size_t candidates) const;

  SearchState& search_;
  const StaticPairs& pairs_;
  Forcing forcing_;
  RaceCases cases_;
  std::optional<size_t> predicted_; ///< candidates that were given to forcing
  bool outOfTime_ = false;          ///< the last time
};

} // namespace heddle
