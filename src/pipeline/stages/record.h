#pragma once

#include "pipeline/stages/search_state.h"
#include "pipeline/stages/stage.h"

#include <optional>

namespace heddle {

/// Recordings: which accesses share memory, which have been executed, and what could race or
/// deadlock. What fails in them is left for the stages after it, which may find the cause.
class Record final : public Stage {
public:
  explicit Record(SearchState& search) : search_(search) {}
  Turn advance() override;

private:
  Status record();

  SearchState& search_;
  std::optional<Session> session_; ///< which sampling goes on to record with
};

} // namespace heddle
