#include "runtime/unseen/counting_loop.h"

#include "model/ids.h"

namespace heddle::rt {

namespace {

constexpr uint32_t kRsp = 4;
constexpr uint32_t kRbp = 5;
constexpr uint32_t kRaxBit = 1;
constexpr uint32_t kRdxBit = 4;

bool within(uint8_t value, uint8_t low, uint8_t high) { return value >= low && value <= high; }

/// The register of a byte operand: without REX, 4 to 7 are the second bytes of 0 to 3.
uint32_t registerBit(const Instruction& i, uint8_t number, uint32_t bytes) {
  if (bytes == 1 && !i.hasRex && number >= 4)
    number -= 4;
  return 1u << number;
}

} // namespace

void CountingLoop::add(const MachineRegisters& registers, const Instruction& instruction) {
  if (count_ < kMostSteps)
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
    head_.registers |= kFlagsBit;
}

uint64_t CountingLoop::stateHash(const MachineRegisters& registers) const {
  uint64_t hash = registers.rip;
  for (uint32_t i = 0; i < 16; ++i)
    if (!(head_.registers >> i & 1))
      hash = mix(hash, registers.general[i]);
  return hash;
}

bool CountingLoop::tainted(const Taint& taint, uint64_t address, uint32_t bytes) {
  for (uint32_t i = 0; i < taint.placeCount; ++i)
    if (address < taint.places[i].address + taint.places[i].bytes &&
        taint.places[i].address < address + bytes)
      return true;
  return false;
}

bool CountingLoop::covers(const Taint& taint, const Place& place) {
  for (uint32_t i = 0; i < taint.placeCount; ++i)
    if (taint.places[i].address <= place.address &&
        place.address + place.bytes <= taint.places[i].address + taint.places[i].bytes)
      return true;
  return false;
}

void CountingLoop::taintMemory(Taint& taint, uint64_t address, uint32_t bytes, bool on) {
  for (uint32_t i = 0; i < taint.placeCount; ++i) {
    Place& place = taint.places[i];
    if (place.address < address || place.address + place.bytes > address + bytes)
      continue;
    if (on) { // covers it: one place is enough
      place = {address, bytes};
      return;
    }
    place = taint.places[--taint.placeCount];
    --i;
  }
  if (!on)
    return;
  if (taint.placeCount == kMostPlaces)
    taint.overflow = true;
  else
    taint.places[taint.placeCount++] = {address, bytes};
}

namespace {

/// The two operands of an instruction with ModRM.
struct Operands {
  uint32_t bytes;
  uint32_t regBit;
  uint32_t rmBit; ///< 0: in memory
  uint64_t address;
};

Operands operandsOf(const Instruction& i, uint32_t bytes) {
  return {bytes, registerBit(i, i.reg, bytes), i.inMemory ? 0 : registerBit(i, i.rm, bytes),
          i.touched.count != 0 ? i.touched.addresses[0] : 0};
}

/// Bytes of the operand, where the lowest bit of the opcode tells bytes from the rest.
uint32_t widthOf(const Instruction& i) { return i.opcode & 1 ? i.bytes : 1; }

} // namespace

bool CountingLoop::followStack(const RoundStep& step, Taint& taint, bool& isOne) const {
  const Instruction& i = step.instruction;
  isOne = true;
  if (taint.registers & (1u << kRsp))
    return false;
  // Which of two registers it is does REX say; both are taken.
  uint32_t either = 1u << (i.opcode & 7) | (i.hasRex ? 1u << (8 + (i.opcode & 7)) : 0);
  if (within(i.opcode, 0x50, 0x57)) {
    taintMemory(taint, step.stackPointer - 8, 8, (taint.registers & either) != 0);
    return true;
  }
  if (within(i.opcode, 0x58, 0x5f)) {
    if (tainted(taint, step.stackPointer, 8))
      taint.registers |= either;
    return true;
  }
  switch (i.opcode) {
  case 0xe8: // call
  case 0x68: // push of a constant
  case 0x6a:
    taintMemory(taint, step.stackPointer - 8, 8, false);
    return true;
  case 0xff: { // call, jmp and push of an operand
    isOne = i.extension == 2 || i.extension == 4 || i.extension == 6;
    if (!isOne)
      return true;
    Operands o = operandsOf(i, 8);
    bool rm = i.inMemory ? tainted(taint, o.address, 8) : (taint.registers & o.rmBit) != 0;
    if (i.extension != 4)
      taintMemory(taint, step.stackPointer - 8, 8, rm);
    return !rm || i.extension == 6;
  }
  case 0xc3: // ret
    return !tainted(taint, step.stackPointer, 8);
  case 0xc9: // leave
    if (taint.registers & (1u << kRbp))
      return false;
    if (tainted(taint, step.framePointer, 8))
      taint.registers |= 1u << kRbp;
    return true;
  default:
    isOne = false;
    return true;
  }
}

bool CountingLoop::followOneByte(const Instruction& i, Taint& taint) const {
  uint8_t op = i.opcode;
  Operands o = operandsOf(i, widthOf(i));
  auto readRm = [&] {
    return i.inMemory ? tainted(taint, o.address, o.bytes) : (taint.registers & o.rmBit) != 0;
  };
  auto setRegister = [&](uint32_t bit, bool on) {
    if (on)
      taint.registers |= bit;
    else if (o.bytes >= 4) // narrower writes keep the rest
      taint.registers &= ~bit;
  };
  auto setRm = [&](bool on) {
    if (i.inMemory)
      taintMemory(taint, o.address, o.bytes, on);
    else
      setRegister(o.rmBit, on);
  };
  auto setFlags = [&](bool on) {
    taint.registers = on ? taint.registers | kFlagsBit : taint.registers & ~kFlagsBit;
  };
  bool reg = (taint.registers & o.regBit) != 0;
  bool flags = (taint.registers & kFlagsBit) != 0;
  if (op < 0x40 && (op & 7) < 6) { // add or adc sbb and sub xor cmp
    uint8_t operation = op >> 3;
    bool accumulator = (op & 7) >= 4;
    bool zeroes = !accumulator && operation == 6 && !i.inMemory && o.rmBit == o.regBit;
    bool usesFlags = operation == 2 || operation == 3;
    bool result = accumulator ? (taint.registers & kRaxBit) != 0 : readRm() || reg;
    result = !zeroes && (result || (usesFlags && flags));
    setFlags(result);
    if (operation == 7)
      return true;
    if (accumulator)
      setRegister(kRaxBit, result);
    else if (op & 2)
      setRegister(o.regBit, result);
    else
      setRm(result);
    return true;
  }
  if (within(op, 0x70, 0x7f)) // jcc
    return !flags;
  if (within(op, 0xb0, 0xbf)) { // REX.B is not kept: what is not overwritten for sure stays tainted
    return true;
  }
  switch (op) {
  case 0x63: // movsxd
    o.bytes = 4;
    setRegister(o.regBit, readRm());
    return true;
  case 0x69: // imul
  case 0x6b: {
    o = operandsOf(i, i.bytes);
    bool result = readRm();
    setFlags(result);
    setRegister(o.regBit, result);
    return true;
  }
  case 0x84: // test
  case 0x85:
    setFlags(readRm() || reg);
    return true;
  case 0xa8:
  case 0xa9:
    setFlags((taint.registers & kRaxBit) != 0);
    return true;
  case 0x86: // xchg
  case 0x87: {
    bool rm = readRm();
    setRm(reg);
    setRegister(o.regBit, rm);
    return true;
  }
  case 0x88: // mov
  case 0x89:
    setRm(reg);
    return true;
  case 0x8a:
  case 0x8b:
    setRegister(o.regBit, readRm());
    return true;
  case 0xc6:
  case 0xc7:
    setRm(false);
    return true;
  case 0x8d: // lea
    o.bytes = i.bytes;
    setRegister(o.regBit, (taint.registers & i.addressRegisters) != 0);
    return true;
  case 0x90: // nop, pause; with REX an xchg
    return !i.hasRex;
  case 0xe9: // jmp
  case 0xeb:
    return true;
  case 0x98: // cdqe: rax from rax
    return true;
  case 0x99: // cdq: rdx from rax
    if (taint.registers & kRaxBit)
      taint.registers |= kRdxBit;
    return true;
  default:
    return followGroup(i, taint);
  }
}

/// Opcodes of which the ModRM byte says what they do.
bool CountingLoop::followGroup(const Instruction& i, Taint& taint) const {
  Operands o = operandsOf(i, widthOf(i));
  bool rm = i.inMemory ? tainted(taint, o.address, o.bytes) : (taint.registers & o.rmBit) != 0;
  auto setFlags = [&](bool on) {
    taint.registers = on ? taint.registers | kFlagsBit : taint.registers & ~kFlagsBit;
  };
  switch (i.opcode) {
  case 0x80: // add or adc sbb and sub xor cmp with a constant: stays what it was
  case 0x81:
  case 0x83:
    if (i.extension == 2 || i.extension == 3)
      return false;
    setFlags(rm);
    return true;
  case 0xf6:
  case 0xf7:
    if (i.extension == 2) // not
      return true;
    if (i.extension > 3)
      return false;
    setFlags(rm); // test, neg
    return true;
  case 0xfe: // inc, dec
  case 0xff:
    if (i.extension > 1)
      return false;
    setFlags(rm);
    return true;
  case 0xc0: // shifts by a constant
  case 0xc1:
  case 0xd0:
  case 0xd1:
    if (i.extension == 2 || i.extension == 3)
      return false;
    if (rm)
      setFlags(true);
    return true;
  default:
    return false;
  }
}

bool CountingLoop::followMap0F(const Instruction& i, Taint& taint) const {
  uint8_t op = i.opcode;
  bool flags = (taint.registers & kFlagsBit) != 0;
  auto rmOf = [&](uint32_t bytes) {
    Operands o = operandsOf(i, bytes);
    return i.inMemory ? tainted(taint, o.address, bytes) : (taint.registers & o.rmBit) != 0;
  };
  auto setRegister = [&](uint32_t bit, bool on) {
    if (on)
      taint.registers |= bit;
    else if (i.bytes >= 4)
      taint.registers &= ~bit;
  };
  auto setFlags = [&](bool on) {
    taint.registers = on ? taint.registers | kFlagsBit : taint.registers & ~kFlagsBit;
  };
  if (within(op, 0x80, 0x8f)) // jcc
    return !flags;
  if (within(op, 0x40, 0x4f)) { // cmovcc
    if (rmOf(i.bytes) || flags)
      taint.registers |= 1u << i.reg;
    return true;
  }
  if (within(op, 0x90, 0x9f)) { // setcc
    Operands o = operandsOf(i, 1);
    if (i.inMemory)
      taintMemory(taint, o.address, 1, flags);
    else if (flags)
      taint.registers |= o.rmBit;
    return true;
  }
  if (within(op, 0x18, 0x1f) || op == 0x0d) // hints
    return true;
  switch (op) {
  case 0xb6: // movzx, movsx
  case 0xbe:
    setRegister(1u << i.reg, rmOf(1));
    return true;
  case 0xb7:
  case 0xbf:
    setRegister(1u << i.reg, rmOf(2));
    return true;
  case 0xaf: { // imul
    bool result = rmOf(i.bytes) || (taint.registers >> i.reg & 1);
    setFlags(result);
    setRegister(1u << i.reg, result);
    return true;
  }
  case 0xae: // fences
    return !i.inMemory && i.extension >= 5;
  case 0xb0: // cmpxchg: whatever of it differs decides all of it
  case 0xb1: {
    Operands o = operandsOf(i, widthOf(i));
    uint32_t used = kRaxBit | o.regBit | o.rmBit;
    if ((taint.registers & used) || (i.inMemory && tainted(taint, o.address, o.bytes)))
      return false;
    setFlags(false);
    return true;
  }
  default:
    return false;
  }
}

bool CountingLoop::follow(const RoundStep& step, Taint& taint) const {
  const Instruction& i = step.instruction;
  bool computes = i.map == OpcodeMap::OneByte && i.opcode == 0x8d;
  if (!i.touched.known || i.vector || taint.overflow)
    return false;
  if (!computes && (taint.registers & i.addressRegisters))
    return false;
  if (i.map == OpcodeMap::Map0F)
    return followMap0F(i, taint);
  if (i.map != OpcodeMap::OneByte)
    return false;
  bool isStack = false;
  if (!followStack(step, taint, isStack))
    return false;
  return isStack || followOneByte(i, taint);
}

bool CountingLoop::neverEnds() {
  constexpr uint32_t mostPasses = 4;
  if (count_ == 0 || count_ > kMostSteps)
    return false;
  for (uint32_t pass = 0; pass < mostPasses; ++pass) {
    Taint taint = head_;
    for (uint32_t i = 0; i < count_; ++i)
      if (!follow(steps_[i], taint))
        return false;
    // What the round makes depend on it must have been so at the head.
    bool stable = (taint.registers & ~head_.registers) == 0 && !taint.overflow;
    head_.registers |= taint.registers;
    for (uint32_t i = 0; i < taint.placeCount; ++i) {
      if (covers(head_, taint.places[i]))
        continue;
      stable = false;
      taintMemory(head_, taint.places[i].address, taint.places[i].bytes, true);
    }
    if (stable)
      return true;
  }
  return false;
}

} // namespace heddle::rt
