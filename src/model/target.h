#pragma once

#include "event.h"
#include "ids.h"

#include <stdint.h>

/// What a directed strategy is to bring about. Freestanding: the plan carries it into the program.
/// A target knows nothing of the analysis that asked for it.
namespace heddle {

enum class TargetKind : uint32_t {
  None,
  Race, ///< two threads about to access the same memory at the roles' sites, one of them writes
  LockCycle, ///< threads about to acquire at the roles' sites what the next one of them holds
};

inline constexpr uint32_t kMaxRoles = 8;

/// One thread's part: to be about to execute `site`. Sites in library code are told apart by the
/// innermost call site in the program's own code.
struct TargetRole {
  SiteIdentity site;
  SiteIdentity caller; ///< None: any
};

struct Target {
  TargetKind kind;
  uint32_t roleCount;
  TargetRole roles[kMaxRoles];
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
