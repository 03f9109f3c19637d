#pragma once

#include "model/memory_order.h"
#include "model/target.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace heddle {

/// One thread's part in a candidate.
struct CandidateSide {
  SiteIdentity site = SiteIdentity::None;
  SiteIdentity caller = SiteIdentity::None; ///< of a site in library code
  uint64_t context = 0; ///< of an access of a pattern: contextHash from its unit to it

  auto operator<=>(const CandidateSide&) const = default;
};

/// A candidate's sides as a run showed them: threads of it that could have met there.
struct CandidateExample {
  std::vector<RoleExample> sides; ///< as the candidate's
  /// The side whose thread had better come first, because the others may need what they would keep
  /// it from; kMaxRoles: none.
  uint32_t leader = kMaxRoles;
};

/// One side of a missing order: an atomic operation.
struct AtomicSide {
  CandidateSide place;
  MemoryOrder order = MemoryOrder::Unknown;
  bool update = false; ///< reads and writes
  bool lacks = false;  ///< of the store: to release; of the load: to acquire

  auto operator<=>(const AtomicSide&) const = default;
};

/// Atomic operations that order the sides of a candidate in every run that was recorded, but only
/// because memory is sequentially consistent there.
struct MissingOrder {
  AtomicSide store;
  AtomicSide load;

  auto operator<=>(const MissingOrder&) const = default;
};

/// Stands for a member in memory that an object owns and that has no name in the source.
inline constexpr const char* kElement = "an element";

/// What makes an order of accesses a violation: the pattern, and what it is about.
struct PatternInfo {
  uint32_t number = 0; ///< 1 to kPatternCount; 0: the candidate is no pattern
  PatternForm form = PatternForm::InOrder;
  uint32_t windowLocks[2] = {}; ///< as Target has them
  std::string set;              ///< the class, or the file of globals
  bool globals = false;
  std::string members[2]; ///< m1 and m2; equal where there is one location only
  bool owned = false;     ///< as Target has it
  bool declared = false;  ///< somebody said that the set is one
};

/// What an analysis believes could go wrong: two accesses that could race, acquisitions that
/// could close a cycle of locks, or accesses of two units of work that could mix. Known by its kind
/// and sides; the rest is evidence.
struct Candidate {
  TargetKind kind = TargetKind::Race;
  /// Sorted; of a pattern the accesses in its order, then the entries of both units.
  std::vector<CandidateSide> sides;
  std::string origin; ///< the analysis
  uint64_t count = 0; ///< how often runs have shown it; 0: an analysis of the source
  /// Seen with nothing between its sides, not even the hand-over of a lock or an atomic.
  bool unordered = false;
  std::vector<CandidateExample> examples = {}; ///< the best first, at most kMaxExamples
  /// Those that all evidence shares, sorted. They count only while the candidate is not
  /// `unordered`.
  std::vector<MissingOrder> missingOrders = {};
  PatternInfo pattern = {};
  /// Calls of code without hooks that lie between its sides in an example, and may order them; None
  /// where there are none.
  SiteIdentity unseenRelease = SiteIdentity::None;
  SiteIdentity unseenAcquire = SiteIdentity::None;

  /// What a race is that no run can trigger; null if it is not only such a one.
  const MissingOrder* missingOrder() const;
};

inline constexpr size_t kMaxExamples = 2;

/// Brings the sides into their order, and those of the examples with them.
void sortSides(Candidate& candidate);

/// The sites of its sides, the same in every build of the same source and whoever found it:
/// "4f1c…/09ab… 77d0…", the caller after the slash.
std::string candidateName(const Candidate& candidate);

/// What a directed strategy has to do for it.
Target targetOf(const Candidate& candidate);

/// By what two candidates are the same.
using CandidateKey = std::tuple<TargetKind, uint32_t, PatternForm, std::vector<CandidateSide>>;
inline CandidateKey keyOf(const Candidate& candidate) {
  return {candidate.kind, candidate.pattern.number, candidate.pattern.form, candidate.sides};
}

/// The candidates of all analyses and runs, each once.
class CandidateSet {
public:
  /// Merges the evidence; true when the candidate is new.
  bool add(Candidate candidate);
  size_t size() const { return candidates_.size(); }
  /// The sites of the sides of all that runs have shown, sorted.
  std::vector<SiteIdentity> sites() const;
  /// The most promising first: what nothing ordered, then what was seen most often.
  std::vector<Candidate> ranked() const;

private:
  using Key = CandidateKey;
  std::map<Key, Candidate> candidates_;
};

} // namespace heddle
