#pragma once

#include "runtime/unseen/instruction.h"

#include <stdint.h>

/// What of a thread's state depends on something that differs from round to round of a loop.
namespace heddle::rt {

/// One instruction of a round, in the order of execution.
struct RoundStep {
  Instruction instruction;
  uint64_t stackPointer; ///< before it
  uint64_t framePointer;
};

class LoopTaint {
public:
  static constexpr uint32_t kFlagsBit = 1u << 16;
  static constexpr uint32_t kMaxPlaces = 24;

  struct Place {
    uint64_t address;
    uint32_t bytes;
  };

  bool touches(uint64_t address, uint32_t bytes) const;
  bool covers(const Place& place) const;
  void set(uint64_t address, uint32_t bytes, bool on);

  uint32_t registers = 0; ///< bits; kFlagsBit: the flags
  uint32_t placeCount = 0;
  bool overflow = false; ///< of the places: nothing is known any more
  Place places[kMaxPlaces];
};

/// Follows one instruction. False: a branch or an address depends on what differs, or the
/// instruction is unknown.
bool followInstruction(const RoundStep& step, LoopTaint& taint);

} // namespace heddle::rt
