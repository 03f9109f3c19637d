#pragma once

#include "model/access_pattern.h"
#include "model/event.h"
#include "model/site_catalog.h"
#include "predict/stop_poll.h"
#include "predict/unit_accesses.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace heddle {

/// One access of a predicted pattern.
struct PatternAccess {
  SiteId site = SiteId::None;
  uint64_t context = 0; ///< contextHash from its unit to it
};

/// A unit of work of a predicted pattern, as the trace had it.
struct PatternUnit {
  SiteId entry = SiteId::None;
  uint32_t thread = 0;
  uint64_t object = 0;     ///< 0: the entry has none, and the unit has adopted it
  uint32_t occurrence = 0; ///< which time that the thread came to the entry, from 1
};

/// Accesses of two units of work that could come in an order that no serial execution has.
struct PredictedPattern {
  uint32_t number = 0; ///< 1 to kPatternCount
  PatternForm form = PatternForm::InOrder;
  std::vector<PatternAccess> steps; ///< in the order of the pattern
  PatternUnit units[2];             ///< u and u'
  uint32_t windowLocks[2] = {};     ///< as Target has them
  std::string set;                  ///< the class; of globals their file; may be empty
  std::string members[2];           ///< m1 and m2
  bool globals = false;
  bool owned = false; ///< a location is memory that the object owns
  /// Pairs of units that showed it. 0: a unit showed it with itself, and another thread has
  /// executed the same function on the same object.
  uint64_t count = 0;
};

/// Phase I of AssetFuzzer: Lai, Cheung, Chan: Detecting Atomic-Set Serializability Violations in
/// Multithreaded Programs through Active Randomized Testing (ICSE 2010), section 4.1. Finds where
/// another interleaving of a recorded run would match one of the eleven problematic patterns.
///
/// - Relaxed happens-before: the `must` relation of SyncOrder.
/// - The lockset condition is stricter than the paper's F_LS, which asks that one common lock of
///   all four events is released between e_i and e_j. That lets pass what another lock forbids, one
///   that u holds all the time and u' holds at e_k alone or takes between e_k and e_l. Here no lock
///   that u holds from e_i to e_j without a break (the same acquisition at both) may be held by u'
///   at an access in between, or be acquired between its accesses there; for the interleaved
///   patterns 7, 10 and 11 the same with u and u' exchanged.
/// - Units of work that do the same are looked at a few times only; pairs of units are found
///   through the memory that they share, and patterns are kept by what a user sees of them: number,
///   functions, set, members.
class AtomicityPrediction {
public:
  /// Events that are kept; what comes after them is not looked at.
  static constexpr size_t kMaxEvents = 2'000'000;

  /// `isShort` says that there is no more memory for events.
  void setLimits(MustStop mustStop, MustStop isShort) {
    mustStop_ = std::move(mustStop);
    isShort_ = std::move(isShort);
  }

  /// Linkage names of functions that are units of work although no heuristic says so.
  void declareUnits(std::set<std::string> functions) { declared_ = std::move(functions); }
  void add(std::span<const Event> events);
  /// The patterns that another interleaving of the trace would have, those that showed most often
  /// first.
  std::vector<PredictedPattern> patterns(const SiteCatalog& sites);
  /// Those that the trace itself has: runtime monitoring after Hammer, Dolby, Vaziri, Tip: Dynamic
  /// Detection of Atomic-Set-Serializability Violations (ICSE 2008). Looks at each pair of units.
  std::vector<PredictedPattern> observed(const SiteCatalog& sites);

  /// What patterns() has seen.
  size_t units() const { return units_; }
  /// Whether a part of the trace, or of its pairs of units, was not looked at.
  bool isCut() const { return cut_; }

private:
  enum class Order { Possible, Observed };
  std::vector<PredictedPattern> search(const SiteCatalog& sites, Order order);
  UnitTrace read(const SiteCatalog& sites, StopPoll& mustStop);

  std::set<std::string> declared_;
  std::vector<Event> events_;
  size_t units_ = 0;
  bool cut_ = false;
  bool full_ = false; ///< no more events are kept
  MustStop mustStop_;
  MustStop isShort_;
};

} // namespace heddle
