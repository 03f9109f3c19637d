#pragma once

#include "model/report.h"
#include "model/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

/// What came of a stage's turn.
struct Turn {
  bool judge = false;              ///< what failed is judged now, and not after a later stage
  bool settled = false;            ///< nothing new came any more: others may have runs
  bool endsSearch = false;         ///< no other stage has anything to do
  bool failed = false;             ///< a short turn: a run of it failed
  uint64_t fresh = 0;              ///< a short turn: runs that have shown something new
  std::optional<Error> error = {}; ///< control was lost, or the program cannot be run
};

/// One stage of a search. It makes runs when it is its turn, within what the budget allows it, and
/// learns from their results, merged in the order of the plan. Runs that fail go to the queue of
/// the search. The scheduler decides whose turn it is.
///
/// A stage is one file pair and one line in the list of a command; see docs/architecture.md.
class Stage {
public:
  virtual ~Stage() = default;

  /// Before any run: what is wrong with the command line must not wait for what is wrong with the
  /// program.
  virtual Status prepare() { return Success{}; }
  /// When the first stage is over, and the search goes on.
  virtual void begin() {}
  /// Its next runs: as many as make one round, or all of its share.
  virtual Turn advance() = 0;

  /// In the opening of a search: whether it has something to try now.
  virtual bool wantsShortTurn() const { return false; }
  /// A few runs of the opening, no more than the budget has left, and at least one.
  virtual Turn advanceShortly() { return {}; }

  /// Of the last stage of a list: whether it goes on when all have had their first turn.
  virtual bool wantsMore() const { return false; }
  /// Whether it has learned of something to try since its last turn.
  virtual bool hasNews() const { return false; }
  /// Whether it could use runs that nobody else needs.
  virtual bool hasOpen() const { return false; }
  /// A failure has ended the search.
  virtual void endByFailure() {}

  /// When no stage gets runs any more, before the last runs are judged.
  virtual void finish() {}
  /// Adds its lines to the report; when all is judged.
  virtual void summarize(Report&) {}
};

} // namespace heddle
