#pragma once

#include "runtime/unseen/instruction.h"
#include "runtime/unseen/loop_taint.h"

#include <stddef.h>
#include <stdint.h>

/// Whether a loop that changes something in every round (a number of attempts) ends by itself.
///
/// What differs between two visits of the loop's head is followed through the instructions of one
/// round. If neither a branch nor an address depends on it, all rounds take the same way: what
/// decides it is the same in each, and nobody else runs. Instructions that the analysis does not
/// know end it without an answer.
namespace heddle::rt {

class CountingLoop {
public:
  static constexpr uint32_t kMaxSteps = 192;

  void beginRound() { count_ = 0; }
  void add(const MachineRegisters& registers, const Instruction& instruction);

  /// Forgets what is known to differ at the head.
  void beginHead(const MachineRegisters& before, const MachineRegisters& now);
  void differsAt(uint64_t address, uint32_t bytes) { head_.set(address, bytes, true); }
  /// Whether the round leads to itself for ever. All of memory that the round touches is as it was
  /// at the head, but for what differsAt has named.
  bool neverEnds();
  /// The registers that do not change from round to round, as one number.
  uint64_t stateHash(const MachineRegisters& registers) const;

private:
  RoundStep steps_[kMaxSteps];
  uint32_t count_ = 0;
  LoopTaint head_; ///< what differs at the head
};

} // namespace heddle::rt
