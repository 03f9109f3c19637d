#pragma once

#include "pipeline/forcing/forced_candidate.h"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace heddle {

/// Runs of one candidate that one worker makes.
struct ForcedSlice {
  size_t candidate;
  uint64_t runs;
  bool fine;   ///< accesses to shared memory are scheduling points
  bool varied; ///< in all ways, not only in the best one
};

/// Decides how many runs each candidate gets, in rounds: a few for each, then more for those whose
/// sites were reached. A candidate is done when both orders were seen, with enough runs to judge a
/// failure; when its sites never met in 100 runs; or when they were not reached. Starts nothing.
class ForcingRounds {
public:
  /// What the decisions depend on beside the results.
  struct Rules {
    uint64_t trials = 0; ///< runs of each candidate, whatever comes of them; 0: as above
    bool isLong = false; ///< runs are long: the first round is one run
    /// From the first failure on only its possible causes get more. Few runs to it count: the first
    /// round is one run.
    bool stopAtFailure = false;
    /// A failure is known whose cause is not: patterns that broke nothing are brought about in all
    /// ways, and more often.
    bool seeksFailure = false;
    std::optional<size_t> pursued = {}; ///< the only candidate that gets runs
  };

  /// The candidate's place; the same for one that is known.
  size_t add(const Candidate& candidate);
  /// Who gets how many runs next; nobody: all candidates are done.
  std::vector<ForcedSlice> nextRound(const Rules& rules) const;

  ForcedCandidate& at(size_t candidate) { return forced_[candidate]; }
  const ForcedCandidate& at(size_t candidate) const { return forced_[candidate]; }
  const std::deque<ForcedCandidate>& forced() const { return forced_; }

private:
  bool mayRun(size_t candidate, const Rules& rules) const;

  std::deque<ForcedCandidate> forced_; ///< who has a pointer to one keeps it
  std::map<CandidateKey, size_t> known_;
};

/// Runs that the candidate shall have had after the next round; not more than it has: it is done.
uint64_t wantedRuns(const ForcedCandidate& forced, const ForcingRounds::Rules& rules);

/// Leaves out what is more than the runs that are left; empty: no limit.
void limitRuns(std::vector<ForcedSlice>& slices, std::optional<uint64_t> left);

/// In long runs there is time for few candidates: those with an access that is executed seldom come
/// first. A forced run brings them about at once, and chance hardly ever; accesses that are
/// executed all the time are interleaved by all other runs, too, and forcing them takes long.
std::vector<Candidate> rareFirst(const std::vector<Candidate>& candidates,
                                 const std::map<uint64_t, uint64_t>& executions);

/// Runs of each kind of control in which a failure must be absent before it counts as the harm of a
/// race.
inline constexpr uint64_t kControlRuns = 20;

} // namespace heddle
