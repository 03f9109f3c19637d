#pragma once

#include "pipeline/stages/search_state.h"
#include "pipeline/stages/stage.h"

#include <memory>
#include <optional>
#include <vector>

namespace heddle {

/// What a stage gets of what is left when its turn comes; 1: all of it.
struct Share {
  double time = 1;
  double timeOfLong = time; ///< where runs are long, of which few are made
  double runs = 1;
  double forRuns = 1;     ///< of its time; the rest is for judging what its runs have shown
  bool inOpening = false; ///< has short turns before all others have had their first one
};

/// A line of a command's list.
struct ListedStage {
  std::unique_ptr<Stage> stage;
  Share share = {};
};

/// Decides which stage of a list gets the next runs. All have a first turn, in the order of the
/// list and with their share. Before the first one of those that are in the opening, they share a
/// few hundred runs in short turns; who is next is decided by what the turns have given lately.
/// Then the last one goes on, round by round; after each round what others have learned from it
/// comes first, as long as their share lasts, and what is open in them when it has settled. Turns
/// end at numbers of runs, and results are merged in the order of the plan, so that the number of
/// workers does not matter.
///
/// What fails is judged after the turn that says so.
class Scheduler {
public:
  Scheduler(SearchState& search, std::vector<ListedStage> list)
      : search_(search), list_(list.size()) {
    for (size_t i = 0; i < list.size(); ++i)
      list_[i].listed = std::move(list[i]);
  }

  /// All turns. The error is why no more could be made; what was found before is kept.
  Status execute();
  /// Adds what the stages have to say to the report; after execute().
  void summarize(Report& report);

private:
  struct Entry {
    ListedStage listed;
    bool hadTurn = false;
    std::optional<double> seconds; ///< that are left of its share, where it has one
    Stage& stage() { return *listed.stage; }
  };

  Status executeTurns();
  /// The short turns. True: a failure has ended the search.
  Result<bool> open();
  /// So many runs of one stage; what failed is judged.
  Result<bool> takeShortTurn(Entry& entry, uint64_t runs);
  bool openingIsOver(uint64_t firstRun, double began) const;
  /// What the stage's share is now; empty: no limit.
  std::optional<double> shareOf(const Entry& entry) const;
  /// One turn of so many seconds, and the judging of what it has shown. True: it was the last one.
  Result<bool> takeTurn(Entry& entry, std::optional<double> seconds);
  /// The turns after the first ones.
  Status goOn();
  /// Turns of the others, after one of the last stage.
  Status letOthers(bool settled);
  /// Seconds for races that broke nothing: what is left for the stages that look for them.
  std::optional<double> secondsToJudge() const;
  Status judge(std::optional<double> seconds);

  SearchState& search_;
  std::vector<Entry> list_;
  Turn last_;              ///< the last turn
  bool wasOpened_ = false; ///< the opening is over
};

} // namespace heddle
