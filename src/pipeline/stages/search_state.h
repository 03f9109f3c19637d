#pragma once

#include "model/report.h"
#include "pipeline/candidates/learning.h"
#include "pipeline/candidates/prediction.h"
#include "pipeline/forcing/control_runs.h"
#include "pipeline/forcing/forcing.h"
#include "pipeline/judging/judging_path.h"

#include <string>
#include <vector>

namespace heddle {

/// What the stages of one search hand on to each other.
struct SearchState {
  SearchState(CommandContext& context, const std::string& command, bool samples)
      : context(context), samples(samples), learning(context, prediction), controls(context),
        judging(context, command) {
    report.command = command;
  }
  SearchState(const SearchState&) = delete;
  SearchState& operator=(const SearchState&) = delete;

  CommandContext& context;
  /// Whether a stage samples: few runs to the first failure count then, and it ends the search.
  /// Other commands look at all candidates, and say what they have seen of each.
  const bool samples;
  Report report; ///< lines and numbers of the stages

  Prediction prediction; ///< candidates of races and deadlocks, from whatever analysis
  Learning learning;     ///< recordings, scheduling points, and what has been executed

  ControlRuns controls;
  JudgingPath judging;
  std::vector<CapturedRun> failures; ///< the queue: failed, not judged yet, in order of the plan

  /// Whether the accesses to shared memory are learned, and become scheduling points.
  bool learns() const { return context.plans.points().kind == PointSet::Listed; }
  bool stopsAtFailure() const { return samples && !context.options().keep_going; }
  /// A failure ends the command; a race that breaks nothing does not.
  bool isDone() const;

  void addSummary(std::string line) { report.summary.push_back(std::move(line)); }
  SearchSummary& facts() { return report.factsAs<SearchSummary>(); }
};

} // namespace heddle
