#pragma once

#include "model/batch.h"
#include "model/result.h"
#include "model/schedule.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Everything that replaying a run needs, besides the program and its input. The text form is
/// described in docs/formats-schedule.md; it does not name the strategy that found the run,
/// because replay follows the decisions alone.
struct Schedule {
  PointSet points = PointSet::Listed;
  std::string pointsName; ///< name of the set of sites in the store, may be empty
  bool timeAny = false;
  bool spurious = false;
  bool untilIdle = false;
  uint64_t maxSteps = 0; ///< 0: the default
  uint64_t timeBase = 0;
  uint64_t seed = 0;   ///< feeds the program's random sources
  uint64_t digest = 0; ///< of the recorded run; 0: not known
  /// Its sites are scheduling points, too. Points Sync with a name: what is named is checked.
  Target target{};
  /// The listed sites are points from this step on; the strategy decided for so many choices. 0:
  /// they always are.
  uint64_t windowFirst = 0;
  uint64_t windowLength = 0;
  /// Of the listed sites' executions only some are points, see Plan::thinFirst; 0: all.
  uint64_t thinFirst = 0;
  uint64_t thinLength = 0;
  uint64_t thinSeed = 0;
  uint64_t thinSync = 0; ///< of mutexes and atomics, too, see Plan::thinSync
  std::vector<Decision> decisions;
};

/// Knows threads by their path of creation: "0" is main, "2" its second child, "2.1" that
/// thread's first child. Paths of threads that nobody introduced are written as "~" and the hash.
class ThreadNames {
public:
  ThreadNames();
  /// Introduces the `ordinal`-th child of `parent`; the parent must be known.
  void add(ThreadPath parent, uint32_t ordinal);
  std::string text(ThreadPath path) const;

private:
  std::map<uint64_t, std::string> names_;
};

/// Parses "0", "2.1" or "~9f3a"; None when it is none of these.
ThreadPath parseThreadPath(std::string_view text);

/// Most decisions that the text form carries; a larger count in a text is an error.
inline constexpr size_t kMaxTextDecisions = size_t{1} << 22;

std::string printSchedule(const Schedule& schedule, const ThreadNames& names);
Result<Schedule> parseSchedule(std::string_view text);

/// Whether a text claims to be a schedule, as opposed to a finding's id or a file name.
bool looksLikeSchedule(std::string_view text);

} // namespace heddle
