#pragma once

#include "runtime/unseen/instruction.h"

#include <stddef.h>
#include <stdint.h>

/// Whether a loop that changes something in every round (a number of attempts) ends by itself.
///
/// What differs between two visits of the loop's head is followed through the instructions of one
/// round. If neither a branch nor an address depends on it, all rounds take the same way: what
/// decides it is the same in each, and nobody else runs. Instructions that the analysis does not
/// know end it without an answer.
namespace heddle::rt {

/// One instruction of a round, in the order of execution.
struct RoundStep {
  Instruction instruction;
  uint64_t stackPointer; ///< before it
  uint64_t framePointer;
};

class CountingLoop {
public:
  static constexpr uint32_t kMostSteps = 192;

  void beginRound() { count_ = 0; }
  void add(const MachineRegisters& registers, const Instruction& instruction);

  /// Forgets what is known to differ at the head.
  void beginHead(const MachineRegisters& before, const MachineRegisters& now);
  void differsAt(uint64_t address, uint32_t bytes) { taintMemory(head_, address, bytes, true); }
  /// Whether the round leads to itself for ever. All of memory that the round touches is as it was
  /// at the head, but for what differsAt has named.
  bool neverEnds();
  /// The registers that do not change from round to round, as one number.
  uint64_t stateHash(const MachineRegisters& registers) const;

private:
  static constexpr uint32_t kMostPlaces = 24;
  static constexpr uint32_t kFlagsBit = 1u << 16;

  struct Place {
    uint64_t address;
    uint32_t bytes;
  };
  /// What depends on what differs.
  struct Taint {
    uint32_t registers = 0; ///< bits; kFlagsBit: the flags
    uint32_t placeCount = 0;
    bool overflow = false;
    Place places[kMostPlaces];
  };

  static bool tainted(const Taint& taint, uint64_t address, uint32_t bytes);
  static bool covers(const Taint& taint, const Place& place);
  static void taintMemory(Taint& taint, uint64_t address, uint32_t bytes, bool on);
  /// False: a branch or an address depends on it, or the instruction is unknown.
  bool follow(const RoundStep& step, Taint& taint) const;
  bool followStack(const RoundStep& step, Taint& taint, bool& isOne) const;
  bool followOneByte(const Instruction& i, Taint& taint) const;
  bool followGroup(const Instruction& i, Taint& taint) const;
  bool followMap0F(const Instruction& i, Taint& taint) const;

  RoundStep steps_[kMostSteps];
  uint32_t count_ = 0;
  Taint head_;
};

} // namespace heddle::rt
