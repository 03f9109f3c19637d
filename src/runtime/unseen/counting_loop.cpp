#include "runtime/unseen/counting_loop.h"

#include "model/ids.h"

namespace heddle::rt {

namespace {

constexpr uint32_t kRsp = 4;
constexpr uint32_t kRbp = 5;

} // namespace

void CountingLoop::add(const MachineRegisters& registers, const Instruction& instruction) {
  if (count_ < kMaxSteps)
    steps_[count_] = {instruction, registers.general[kRsp], registers.general[kRbp]};
  ++count_;
}

void CountingLoop::beginHead(const MachineRegisters& before, const MachineRegisters& now) {
  constexpr uint64_t arithmeticFlags = 0xcd5;
  head_ = {};
  for (uint32_t i = 0; i < 16; ++i)
    if (before.general[i] != now.general[i])
      head_.registers |= 1u << i;
  if ((before.flags ^ now.flags) & arithmeticFlags)
    head_.registers |= LoopTaint::kFlagsBit;
}

uint64_t CountingLoop::stateHash(const MachineRegisters& registers) const {
  uint64_t hash = registers.rip;
  for (uint32_t i = 0; i < 16; ++i)
    if (!(head_.registers >> i & 1))
      hash = mix(hash, registers.general[i]);
  return hash;
}

bool CountingLoop::neverEnds() {
  constexpr uint32_t maxPasses = 4;
  if (count_ == 0 || count_ > kMaxSteps)
    return false;
  for (uint32_t pass = 0; pass < maxPasses; ++pass) {
    LoopTaint taint = head_;
    for (uint32_t i = 0; i < count_; ++i)
      if (!followInstruction(steps_[i], taint))
        return false;
    // What the round makes depend on it must have been so at the head.
    bool stable = (taint.registers & ~head_.registers) == 0 && !taint.overflow;
    head_.registers |= taint.registers;
    for (uint32_t i = 0; i < taint.placeCount; ++i) {
      if (head_.covers(taint.places[i]))
        continue;
      stable = false;
      head_.set(taint.places[i].address, taint.places[i].bytes, true);
    }
    if (stable)
      return true;
  }
  return false;
}

} // namespace heddle::rt
