#pragma once

#include "model/candidate.h"
#include "model/finding.h"

namespace heddle {

/// How two operations of two threads contend.
enum class AccessPairKind : uint8_t {
  ReadWrite,  ///< RW: accesses to the same memory, at least one of them a write
  LockLock,   ///< MM: acquisitions of the same lock
  WaitLock,   ///< WM: a wait gives its lock back, and competes for it with an acquisition
  WaitNotify, ///< WN: a wait and a notification of the same condition
};

inline const char* accessPairName(AccessPairKind kind) {
  switch (kind) {
  case AccessPairKind::ReadWrite:
    return "RW";
  case AccessPairKind::LockLock:
    return "MM";
  case AccessPairKind::WaitLock:
    return "WM";
  case AccessPairKind::WaitNotify:
    return "WN";
  }
  return "";
}

/// The thesis's ⟨thread, instruction, context⟩.
struct AccessPairSide {
  unsigned thread = 0;
  CandidateSide site;
  std::string access; ///< "read", "write", "free", "atomic", "lock", "wait", "notify"
  Location location;  ///< in the program's own code
  Stack context;      ///< innermost first, as a finding's stack
};

struct AccessPair {
  AccessPairKind kind = AccessPairKind::ReadWrite;
  AccessPairSide first, second;
  std::string object;
  bool disjoint = false; ///< RW: a common lock keeps them apart
};

} // namespace heddle
