#pragma once

#include "explore/program_explorer.h"
#include "pipeline/stages/search_state.h"
#include "pipeline/stages/stage.h"

#include <optional>
#include <vector>

namespace heddle {

/// Orders of two accesses that no run had yet, the most suspicious first: the prioritised testing
/// of explore/probes.h, one run each. It takes part in the opening alone, and only where runs are
/// so short that all of their accesses can be recorded.
class Probe final : public Stage {
public:
  explicit Probe(SearchState& search) : search_(search) {}

  Turn advance() override { return {}; }
  bool wantsShortTurn() const override;
  Turn advanceShortly() override;
  void summarize(Report& report) override;

private:
  Status start();
  explore::ExplorationOptions options();
  /// Hands the failures on that are new.
  Status takeFailures(Turn& turn);

  SearchState& search_;
  std::optional<Session> session_;
  std::optional<explore::ProgramExplorer> explorer_;
  std::vector<uint64_t> numbers_; ///< of its runs, among all of the command
  size_t taken_ = 0;              ///< failures
  uint64_t probes_ = 0;
  std::string ending_; ///< why there are no more; empty: there may be
};

} // namespace heddle
