#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

/// Names a set of held locks; 0 is the empty set. Only means something to the LockSets that made
/// it.
enum class LockSetId : uint32_t { Empty = 0 };

struct LockHold {
  uint64_t lock;
  bool shared; ///< held for reading, by others too
  auto operator<=>(const LockHold&) const = default;
};

/// Sets of locks, each kept once: accesses carry a number, and whether two sets exclude each other
/// is worked out once per pair.
class LockSets {
public:
  LockSets();

  LockSetId add(LockSetId set, LockHold lock);
  LockSetId remove(LockSetId set, uint64_t lock);
  std::span<const LockHold> locks(LockSetId set) const;
  bool holds(LockSetId set, uint64_t lock) const;

  /// Whether no two threads can hold these sets at the same time: a common lock, of which at least
  /// one is held exclusively.
  bool exclude(LockSetId one, LockSetId other);

private:
  LockSetId intern(std::vector<LockHold> locks);
  bool haveCommon(LockSetId one, LockSetId other) const;

  std::vector<std::vector<LockHold>> sets_;
  std::map<std::vector<LockHold>, LockSetId> ids_;
  std::unordered_map<uint64_t, bool> excluded_;
};

} // namespace heddle
