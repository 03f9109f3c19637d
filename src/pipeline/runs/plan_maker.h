#pragma once

#include "control/batch_memory.h"
#include "control/options.h"
#include "model/schedule_text.h"
#include "pipeline/runs/budget.h"
#include "pipeline/runs/command_notes.h"
#include "pipeline/runs/run_lengths.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

std::optional<StrategyKind> parseStrategy(const std::string& name);

/// The scheduling points of the plans that follow, and the name under which they are stored.
struct PointsChoice {
  PointSet kind = PointSet::Listed;
  std::vector<uint64_t> sites; ///< identities, sorted
  std::string name;
  std::map<uint64_t, uint64_t> executions; ///< of a site in a run, as far as it is known

  /// A list without entries is the sync operations alone, and needs no name to replay.
  PointSet used() const {
    return kind == PointSet::Listed && sites.empty() ? PointSet::Sync : kind;
  }
};

/// How long a replay may take.
enum class Until {
  StageEnd, ///< it serves the stage that makes it
  Grace,    ///< it confirms what was found: a moment longer than the budget
};

/// Makes the plans of a command: everything in them that the options and the runs so far decide.
/// What it is made from must outlive it.
class PlanMaker {
public:
  PlanMaker(const Options& options, const Budget& budget, const RunLengths& lengths,
            const CommandNotes& notes);

  PlanRequest plan(StrategyKind strategy, uint64_t firstSeed, uint64_t runCount) const;
  /// A plan that follows a schedule, with these points.
  PlanRequest replayPlan(const Schedule& schedule, const std::vector<uint64_t>& sites,
                         Until until = Until::Grace) const;
  /// What a replay of a run of such a plan needs, but its points, which the plan has.
  Schedule scheduleOf(const RunRecord& record) const;

  /// Lets only some executions of the points be points where runs have very many; see
  /// src/runtime/thinning.h. So many sites are executed often.
  void thinOut(PlanRequest& request, uint64_t sites) const;
  /// Runs of a plan that is a pass with windows: those and the pass.
  static constexpr uint64_t kPassRuns = 65;
  /// Makes a plan of so many runs such a pass.
  void exploreInWindows(PlanRequest& request) const;

  PointsChoice& points() { return points_; }
  const PointsChoice& points() const { return points_; }

private:
  /// The sites that are points in the runs of a plan with this seed. All of them; but where some
  /// are executed very often these have their turn in a few plans only, so that a run does not take
  /// many times as long as it does alone.
  std::vector<uint64_t> drawSites(uint64_t seed) const;

  const Options& options_;
  const Budget& budget_;
  const RunLengths& lengths_;
  const CommandNotes& notes_;
  PointsChoice points_;
};

} // namespace heddle
