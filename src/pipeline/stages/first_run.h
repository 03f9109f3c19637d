#pragma once

#include "pipeline/candidates/learning.h"
#include "pipeline/stages/search_state.h"
#include "pipeline/stages/stage.h"

namespace heddle {

/// One run without preemption in a fresh process. It shows what is normal (exit status,
/// length, number of threads). A failure here needs no interleaving, and is returned.
/// Errors: the program cannot be started, or control was lost.
/// With `learning` the run is a recording, too, unless that takes too long. With `needsThreads` a
/// program that makes none and ends with an error is one: it has been given wrong arguments.
Result<std::optional<CapturedRun>> firstRun(CommandContext& context, Learning* learning,
                                            bool needsThreads);

/// The stage of that run. A failure is judged at once: it needs no preemption, so there is no cause
/// to look for. Where the command samples, it ends the search.
class FirstRun final : public Stage {
public:
  explicit FirstRun(SearchState& search) : search_(search) {}
  Turn advance() override;
  void begin() override;

private:
  Status judge(const CapturedRun& failing);

  SearchState& search_;
  bool failed_ = false;
};

} // namespace heddle
