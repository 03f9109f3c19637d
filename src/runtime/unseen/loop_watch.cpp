#include "runtime/unseen/loop_watch.h"

#include "model/ids.h"

#include <string.h>

namespace heddle::rt {

namespace {

/// Arithmetic flags and the direction; the others are not the program's (trap, resume).
constexpr uint64_t kFlags = 0xcd5;

uint64_t hashBytes(const void* bytes, size_t count) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  uint64_t hash = count;
  for (; count >= 8; at += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    hash = mix(hash, word);
  }
  for (; count != 0; ++at, --count)
    hash = mix(hash, *at);
  return hash;
}

bool sameRegisters(const MachineRegisters& a, const MachineRegisters& b) {
  return a.rip == b.rip && ((a.flags ^ b.flags) & kFlags) == 0 && a.fsBase == b.fsBase &&
         memcmp(a.general, b.general, sizeof a.general) == 0;
}

constexpr uint32_t kRsp = 4;

} // namespace

LoopPlace placeOf(const MachineRegisters& registers) {
  return {registers.rip, hashBytes(registers.general, sizeof registers.general)};
}

void LoopWatch::begin() {
  steps_ = 0;
  nextAnchor_ = 1;
  waits_ = false;
  waitedFor_ = 0;
  loopLow_ = loopHigh_ = 0;
  lineCount_ = rounds_ = 0;
}

uint64_t LoopWatch::hashOf(uint64_t address, size_t bytes) const {
  unsigned char copy[kStackBytes];
  return hashBytes(copy, memory_.read(address, copy, bytes));
}

uint64_t LoopWatch::stackHash(const MachineRegisters& registers) const {
  return hashOf(registers.general[kRsp] - kRedZone, kStackBytes);
}

void LoopWatch::anchorAt(const MachineState& state) {
  anchor_ = state.registers;
  anchorVectors_ = hashBytes(state.vectors, state.vectorBytes);
  anchorStack_ = stackHash(state.registers);
  lineCount_ = linesBefore_ = rounds_ = 0;
  exact_ = true;
  turn_ = {};
  low_ = high_ = 0;
  beginRound(state);
}

bool LoopWatch::linesUnchanged() const {
  for (uint32_t i = 0; i < lineCount_; ++i)
    if (hashOf(lines_[i].address, kLineBytes) != lines_[i].hash)
      return false;
  return true;
}

bool LoopWatch::equalsAnchor(const MachineState& state) const {
  return exact_ && sameRegisters(state.registers, anchor_) &&
         hashBytes(state.vectors, state.vectorBytes) == anchorVectors_ &&
         stackHash(state.registers) == anchorStack_ && linesUnchanged();
}

uint32_t LoopWatch::wordAt(uint64_t address) const {
  uint32_t word = 0;
  memory_.read(address, &word, sizeof word);
  return word;
}

bool LoopWatch::isWaitedFor(const Line& line, uint64_t stackPointer) {
  constexpr uint64_t stackReach = 64 << 10;
  if (line.address - (stackPointer - kRedZone) < stackReach || wordAt(line.address) != line.word)
    return false;
  if (line.address != waitedFor_ && !memory_.writable(line.address))
    return false;
  waitedFor_ = line.address;
  return true;
}

bool LoopWatch::someLineWaitedFor(uint64_t stackPointer) {
  for (uint32_t i = 0; i < lineCount_; ++i)
    if (isWaitedFor(lines_[i], stackPointer))
      return true;
  return false;
}

uint64_t LoopWatch::valueOf(const Line& line) const {
  uint64_t value = 0;
  memory_.read(line.address, &value, line.bytes < sizeof value ? line.bytes : sizeof value);
  return value;
}

void LoopWatch::beginRound(const MachineState& state) {
  head_ = state.registers;
  headVectors_ = hashBytes(state.vectors, state.vectorBytes);
  for (uint32_t i = 0; i < lineCount_; ++i)
    lines_[i].value = valueOf(lines_[i]);
  linesBefore_ = lineCount_;
  counting_.beginRound();
}

/// Whether the round that ends here differs from the one before only in what decides nothing.
bool LoopWatch::countsOnly(const MachineState& state) {
  if (!exact_ || hashBytes(state.vectors, state.vectorBytes) != headVectors_)
    return false;
  counting_.beginHead(head_, state.registers);
  for (uint32_t i = 0; i < lineCount_; ++i)
    if (valueOf(lines_[i]) != lines_[i].value)
      counting_.differsAt(lines_[i].address, lines_[i].bytes);
  return counting_.neverEnds();
}

/// Back at the anchor's instruction, but not in its state. True: it only counts.
bool LoopWatch::endRound(const MachineState& state) {
  if (state.registers.general[kRsp] != anchor_.general[kRsp])
    return false;
  ++rounds_;
  loopLow_ = low_;
  loopHigh_ = high_;
  bool same = rounds_ >= 2 && lineCount_ == linesBefore_;
  if (same && countsOnly(state))
    return true;
  waits_ = same && lineCount_ < kMaxLines && someLineWaitedFor(state.registers.general[kRsp]);
  beginRound(state);
  return false;
}

void LoopWatch::touch(uint64_t address, uint32_t bytes) {
  for (uint32_t i = 0; i < lineCount_; ++i)
    if (lines_[i].address == address) {
      lines_[i].bytes = bytes > lines_[i].bytes ? bytes : lines_[i].bytes;
      return;
    }
  if (lineCount_ == kMaxLines)
    exact_ = false;
  else
    lines_[lineCount_++] = {address, hashOf(address, kLineBytes), wordAt(address), bytes, 0};
}

void LoopWatch::notePlace(const MachineState& state) {
  if (!state.breakable)
    return;
  LoopPlace place = placeOf(state.registers);
  if (turn_.rip == 0 || place.rip < turn_.rip ||
      (place.rip == turn_.rip && place.hash < turn_.hash))
    turn_ = place;
  low_ = turn_.rip;
  high_ = place.rip > high_ ? place.rip : high_;
}

LoopProof LoopWatch::step(const MachineState& state) {
  bool back = steps_ != 0 && state.registers.rip == anchor_.rip;
  if (back && equalsAnchor(state)) {
    loopLow_ = low_;
    loopHigh_ = high_;
    state_ = placeOf(anchor_).hash;
    return LoopProof::Repeats;
  }
  if (back && endRound(state)) {
    turn_.hash = 0;
    state_ = counting_.stateHash(state.registers);
    return LoopProof::Counts;
  }
  if (++steps_ == nextAnchor_) {
    nextAnchor_ *= 2;
    anchorAt(state);
  }
  notePlace(state);
  Instruction instruction = decodeInstruction(state.registers);
  exact_ &= instruction.touched.known;
  for (uint32_t i = 0; i < instruction.touched.count; ++i)
    touch(instruction.touched.addresses[i], operandBytes(instruction));
  counting_.add(state.registers, instruction);
  return LoopProof::None;
}

} // namespace heddle::rt
