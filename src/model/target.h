#pragma once

#include "access_pattern.h"
#include "event.h"
#include "ids.h"

#include <stdint.h>

/// What a directed strategy is to trigger. Freestanding: the plan carries it into the program.
/// A target knows nothing of the analysis that asked for it.
namespace heddle {

enum class TargetKind : uint32_t {
  None,
  Race, ///< two threads about to access the same memory at the roles' sites, one of them writes
  LockCycle, ///< threads about to acquire at the roles' sites what the next one of them holds
  AtomicSet, ///< the accesses of two units of work in an order that no serial execution has
};

inline constexpr uint32_t kMaxRoles = 8;

/// One thread's part: to be about to execute `site`. Sites in library code are told apart by the
/// innermost call site in the program's own code.
struct TargetRole {
  SiteIdentity site;
  SiteIdentity caller; ///< None: any
  /// Of an access of a pattern: contextHash of the calls from the entry of its unit to it.
  uint64_t context;
};

/// Of AtomicSet: the roles are the accesses in the order of the pattern, then the entries of u and
/// of u'.
struct Target {
  TargetKind kind;
  uint32_t roleCount;
  TargetRole roles[kMaxRoles];
  uint32_t pattern; ///< 1 to kPatternCount
  PatternForm form;
  /// The vulnerable-window lockset of u and of u': which of the locks that the unit holds at its
  /// first access (bits, in the order of their acquisition) the other unit needs, and gets in the
  /// window.
  uint32_t windowLocks[2];
  /// 1: a location is not in the object of its unit, but in memory that the object owns.
  uint32_t owned;
};

constexpr AccessPattern patternOf(const Target& target) {
  return accessPattern(target.pattern, target.form);
}

/// A call context is a hash of the identities of call sites, outermost first.
inline constexpr uint64_t kEmptyContext = 1;
constexpr uint64_t contextHash(uint64_t outer, SiteIdentity call) { return mix(outer, raw(call)); }

/// A thread's part in a target as an earlier run showed it.
struct RoleExample {
  ThreadPath thread;
  uint64_t address;    ///< 0: not known
  uint32_t occurrence; ///< which time that the thread came to the role, from 1; 0: not known
  uint32_t role;
};

/// Which threads a directed strategy holds at the target. Whether the target was triggered does
/// not depend on it.
enum class Holding : uint32_t {
  Everybody, ///< before their part of it, as in the papers
  Some,      ///< one in two of them, so that the others do not always run far ahead
  Behind,    ///< before they tell others that they have executed their part
  Moment,    ///< the example's threads, when they come to their role for the example's time
  Object,    ///< the example's threads, when they are about to touch what they touched there
};

/// How a directed strategy is to trigger a target.
struct Approach {
  Holding holding;
  uint32_t leader;                 ///< the example whose thread goes to its part before the others
  uint32_t exampleCount;           ///< for Moment and Object
  RoleExample examples[kMaxRoles]; ///< of different threads
};

/// Bit r of a mask says that a thread can play role r.
using RoleMask = uint8_t;
static_assert(kMaxRoles <= 8 * sizeof(RoleMask));

/// In which order the two sides of a race were executed; bits, because a run may show both.
enum MeetingOrder : uint32_t {
  kFirstRoleFirst = 1,
  kSecondRoleFirst = 2,
};

} // namespace heddle
