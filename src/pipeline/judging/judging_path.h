#pragma once

#include "pipeline/judging/cause_finder.h"
#include "pipeline/judging/judge.h"

#include <vector>

namespace heddle {

/// The way of failing runs to findings, the same for all stages: confirm, find the cause, minimise,
/// describe, keep. Causes are looked for by finders, one after the other; what none of them
/// explains is a finding of its own.
class JudgingPath {
public:
  JudgingPath(CommandContext& context, std::string command) : judge_(context, std::move(command)) {}

  /// Asked after those that were added before; must outlive this.
  void add(CauseFinder& finder) { finders_.push_back(&finder); }

  /// Runs are given in order of the plan. What broke nothing is judged for at most so many seconds.
  Status judge(std::vector<CapturedRun> failures, std::optional<double> seconds);

  Judge& judge() { return judge_; }
  const Judge& judge() const { return judge_; }

private:
  Judge judge_;
  std::vector<CauseFinder*> finders_;
};

} // namespace heddle
