#pragma once

#include "predict/stop_poll.h"
#include "predict/unit_accesses.h"

#include <cstdint>
#include <map>
#include <ranges>
#include <vector>

namespace heddle {

/// An access to one location, by a unit.
struct Touch {
  uint32_t access;   ///< index in UnitTrace::accesses
  uint32_t location; ///< number of the elementary interval
  bool read;
  bool write;
};

/// A unit of work as the search for patterns sees it: what it does to memory that is shared.
struct UnitSummary {
  uint32_t unit = 0;
  std::vector<Touch> touches;                              ///< in order
  std::map<uint32_t, std::vector<uint32_t>> reads, writes; ///< accesses by location
};

/// Divides the memory that units access where an access begins or ends. When there is no time for
/// all accesses, those that were not looked at share nothing.
class Locations {
public:
  Locations(const std::vector<UnitAccess>& accesses, StopPoll& mustStop);

  /// The numbers of those that it touches.
  std::ranges::iota_view<uint32_t, uint32_t> of(const UnitAccess& access) const;
  /// Whether several threads access it and one of them writes.
  bool isShared(uint32_t location) const { return flags_[location] == (kSeveral | kWritten); }
  uint64_t address(uint32_t location) const { return bounds_[location]; }
  uint64_t end(uint32_t location) const { return bounds_[location + 1]; }

private:
  static constexpr uint32_t kNobody = UINT32_MAX;
  static constexpr uint8_t kSeveral = 1;
  static constexpr uint8_t kWritten = 2;

  void note(uint32_t location, const UnitAccess& access);

  std::vector<uint64_t> bounds_;
  std::vector<uint32_t> threads_;
  std::vector<uint8_t> flags_;
};

/// Groups the accesses by unit, in the order of the units. Of units that do the same only a few are
/// kept, and of accesses from one place to one location the first and the last; `all`: each unit
/// with all of its accesses. When there is no time for all units, the last ones are missing.
std::vector<UnitSummary> summarize(const UnitTrace& trace, const Locations& locations, bool all,
                                   StopPoll& mustStop);

} // namespace heddle
