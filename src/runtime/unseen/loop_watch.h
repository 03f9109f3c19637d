#pragma once

#include "runtime/unseen/counting_loop.h"
#include "runtime/unseen/instruction.h"

#include <stddef.h>
#include <stdint.h>

/// Looks at a thread instruction by instruction and tells whether it repeats itself.
///
/// The rule: a thread repeats itself when it comes back to an instruction with all its registers,
/// the top of its stack and every byte that it touched in between as they were. While nobody else
/// runs it will then do the same for ever. A loop that also counts (a number of attempts) never
/// repeats itself; it does not end either if what it counts decides nothing (CountingLoop). Where
/// neither can be proven, the loop may still touch the same places in every round, one of which,
/// not on its own stack, stays as it is: that looks like waiting, and proves nothing.
///
/// The search for the repetition is Brent's (An improved Monte Carlo factorization algorithm, BIT
/// 20, 1980, section 3): the state is compared with that of an anchor, which moves to the present
/// after 1, 2, 4 ... instructions.
namespace heddle::rt {

/// What the watch needs to know of memory.
struct MemoryView {
  /// Copies up to `bytes` bytes at the address; how many are there.
  size_t (*read)(uint64_t address, void* to, size_t bytes);
  /// Whether somebody could write there.
  bool (*writable)(uint64_t address);
};

/// Before an instruction.
struct MachineState {
  MachineRegisters registers;
  const void* vectors; ///< the other registers, as bytes; null: there are none
  size_t vectorBytes;
  bool breakable; ///< another thread could take over here
};

/// Tells states of one loop apart, the same in every run.
struct LoopPlace {
  uint64_t rip = 0;
  uint64_t hash = 0; ///< of the general registers
  bool operator==(const LoopPlace& other) const { return rip == other.rip && hash == other.hash; }
};
LoopPlace placeOf(const MachineRegisters& registers);

enum class LoopProof : uint8_t {
  None,
  Repeats, ///< everything is as it was
  Counts,  ///< but for what decides nothing
};

class LoopWatch {
public:
  explicit LoopWatch(const MemoryView& memory) : memory_(memory) {}

  void begin();
  /// The thread is about to execute the instruction at state.registers.rip; what is proven by now.
  LoopProof step(const MachineState& state);

  /// The thread does what is not looked at, and what may change anything: nothing is proven before
  /// the anchor has moved on.
  void meetUnknown() { exact_ = false; }

  uint64_t steps() const { return steps_; }
  /// Where a thread gives way whose loop was proven: the breakable place of the loop with the
  /// lowest address, so that it does not depend on when it was looked at; rip 0: there is none. If
  /// it counts, its hash is 0: that it comes to the same state again cannot be expected.
  const LoopPlace& turn() const { return turn_; }
  /// Tells what repeats itself in the proven loop from other states of the same code.
  uint64_t stateHash() const { return state_; }
  /// See above.
  bool looksLikeWaiting() const { return waits_; }
  /// The breakable code between two visits of one instruction, as far as a loop was seen; 0: none.
  uint64_t loopLow() const { return loopLow_; }
  uint64_t loopHigh() const { return loopHigh_; }
  /// Calls visit(address) for the memory that the loop touches, until it returns true.
  template <typename Visit> bool anyTouched(Visit visit) const {
    for (uint32_t i = 0; i < lineCount_; ++i)
      if (visit(lines_[i].address))
        return true;
    return false;
  }

private:
  static constexpr uint32_t kMaxLines = 96;
  static constexpr size_t kLineBytes = 64;
  static constexpr size_t kRedZone = 128;
  static constexpr size_t kStackBytes = 2048;

  struct Line {
    uint64_t address;
    uint64_t hash;  ///< when it was first touched since the anchor
    uint32_t word;  ///< its first bytes then: counters may be neighbours of what is waited for
    uint32_t bytes; ///< of the operand
    uint64_t value; ///< the operand when the round began
  };

  void anchorAt(const MachineState& state);
  bool equalsAnchor(const MachineState& state) const;
  bool linesUnchanged() const;
  bool endRound(const MachineState& state);
  bool countsOnly(const MachineState& state);
  void beginRound(const MachineState& state);
  bool someLineWaitedFor(uint64_t stackPointer);
  bool isWaitedFor(const Line& line, uint64_t stackPointer);
  uint32_t wordAt(uint64_t address) const;
  void touch(uint64_t address, uint32_t bytes);
  uint64_t valueOf(const Line& line) const;
  void notePlace(const MachineState& state);
  uint64_t hashOf(uint64_t address, size_t bytes) const;
  uint64_t stackHash(const MachineRegisters& registers) const;

  const MemoryView& memory_;
  uint64_t steps_ = 0;
  uint64_t nextAnchor_ = 1;
  MachineRegisters anchor_{};
  uint64_t anchorVectors_ = 0;
  uint64_t anchorStack_ = 0;
  Line lines_[kMaxLines];
  uint32_t lineCount_ = 0;
  uint32_t linesBefore_ = 0; ///< at the beginning of the round
  uint32_t rounds_ = 0;      ///< since the anchor
  bool exact_ = true;        ///< all that was touched since the anchor is in `lines_`
  MachineRegisters head_{};  ///< at the beginning of the round
  uint64_t headVectors_ = 0;
  CountingLoop counting_;
  uint64_t state_ = 0;
  LoopPlace turn_;
  uint64_t low_ = 0;
  uint64_t high_ = 0;
  bool waits_ = false;
  uint64_t waitedFor_ = 0; ///< known to be writable
  uint64_t loopLow_ = 0;
  uint64_t loopHigh_ = 0;
};

} // namespace heddle::rt
