#include "runtime/unseen/loop_taint.h"

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

/// An instruction's operands, and what is known of them.
class Follower {
public:
  Follower(const Instruction& i, LoopTaint& taint, uint32_t bytes)
      : taint_(taint), operands_(operandsOf(i, bytes)), inMemory_(i.inMemory) {}

  bool has(uint32_t bits) const { return (taint_.registers & bits) != 0; }
  bool flags() const { return has(LoopTaint::kFlagsBit); }
  bool reg() const { return has(operands_.regBit); }
  bool rm() const {
    return inMemory_ ? taint_.touches(operands_.address, operands_.bytes) : has(operands_.rmBit);
  }
  bool isSameRegister() const { return !inMemory_ && operands_.rmBit == operands_.regBit; }

  void setRegister(uint32_t bit, bool on) {
    if (on)
      taint_.registers |= bit;
    else if (operands_.bytes >= 4) // narrower writes keep the rest
      taint_.registers &= ~bit;
  }
  void setReg(bool on) { setRegister(operands_.regBit, on); }
  void setRm(bool on) {
    if (inMemory_)
      taint_.set(operands_.address, operands_.bytes, on);
    else
      setRegister(operands_.rmBit, on);
  }
  void moveToReg() { setReg(rm()); }
  void setFlags(bool on) {
    constexpr uint32_t bit = LoopTaint::kFlagsBit;
    taint_.registers = on ? taint_.registers | bit : taint_.registers & ~bit;
  }

private:
  LoopTaint& taint_;
  Operands operands_;
  bool inMemory_;
};

/// Pushes, pops, calls and returns; `isOne`: whether it is one of them.
bool followStack(const RoundStep& step, LoopTaint& taint, bool& isOne) {
  const Instruction& i = step.instruction;
  isOne = true;
  if (taint.registers & (1u << kRsp))
    return false;
  // Which of two registers it is does REX say; both are taken.
  uint32_t either = 1u << (i.opcode & 7) | (i.hasRex ? 1u << (8 + (i.opcode & 7)) : 0);
  if (within(i.opcode, 0x50, 0x57)) {
    taint.set(step.stackPointer - 8, 8, (taint.registers & either) != 0);
    return true;
  }
  if (within(i.opcode, 0x58, 0x5f)) {
    if (taint.touches(step.stackPointer, 8))
      taint.registers |= either;
    return true;
  }
  switch (i.opcode) {
  case 0xe8: // call
  case 0x68: // push of a constant
  case 0x6a:
    taint.set(step.stackPointer - 8, 8, false);
    return true;
  case 0xff: { // call, jmp and push of an operand
    isOne = i.extension == 2 || i.extension == 4 || i.extension == 6;
    if (!isOne)
      return true;
    bool rm = Follower(i, taint, 8).rm();
    if (i.extension != 4)
      taint.set(step.stackPointer - 8, 8, rm);
    return !rm || i.extension == 6;
  }
  case 0xc3: // ret
    return !taint.touches(step.stackPointer, 8);
  case 0xc9: // leave
    if (taint.registers & (1u << kRbp))
      return false;
    if (taint.touches(step.framePointer, 8))
      taint.registers |= 1u << kRbp;
    return true;
  default:
    isOne = false;
    return true;
  }
}

/// Opcodes of which the ModRM byte says what they do.
bool followGroup(const Instruction& i, LoopTaint& taint) {
  Follower f(i, taint, widthOf(i));
  bool rm = f.rm();
  switch (i.opcode) {
  case 0x80: // add or adc sbb and sub xor cmp with a constant: stays what it was
  case 0x81:
  case 0x83:
    if (i.extension == 2 || i.extension == 3)
      return false;
    f.setFlags(rm);
    return true;
  case 0xf6:
  case 0xf7:
    if (i.extension == 2) // not
      return true;
    if (i.extension > 3)
      return false;
    f.setFlags(rm); // test, neg
    return true;
  case 0xfe: // inc, dec
  case 0xff:
    if (i.extension > 1)
      return false;
    f.setFlags(rm);
    return true;
  case 0xc0: // shifts by a constant
  case 0xc1:
  case 0xd0:
  case 0xd1:
    if (i.extension == 2 || i.extension == 3)
      return false;
    if (rm)
      f.setFlags(true);
    return true;
  default:
    return false;
  }
}

/// add or adc sbb and sub xor cmp
void followArithmetic(const Instruction& i, LoopTaint& taint) {
  Follower f(i, taint, widthOf(i));
  uint8_t operation = i.opcode >> 3;
  bool accumulator = (i.opcode & 7) >= 4;
  bool zeroes = !accumulator && operation == 6 && f.isSameRegister();
  bool usesFlags = operation == 2 || operation == 3;
  bool result = accumulator ? f.has(kRaxBit) : f.rm() || f.reg();
  result = !zeroes && (result || (usesFlags && f.flags()));
  f.setFlags(result);
  if (operation == 7)
    return;
  if (accumulator)
    f.setRegister(kRaxBit, result);
  else if (i.opcode & 2)
    f.setReg(result);
  else
    f.setRm(result);
}

/// Whether the instruction only moves a value; then it was followed.
bool followMove(const Instruction& i, LoopTaint& taint) {
  Follower f(i, taint, widthOf(i));
  switch (i.opcode) {
  case 0x63: // movsxd
    Follower(i, taint, 4).moveToReg();
    return true;
  case 0x86: // xchg
  case 0x87: {
    bool rm = f.rm();
    f.setRm(f.reg());
    f.setReg(rm);
    return true;
  }
  case 0x88: // mov
  case 0x89:
    f.setRm(f.reg());
    return true;
  case 0x8a:
  case 0x8b:
    f.moveToReg();
    return true;
  case 0xc6:
  case 0xc7:
    f.setRm(false);
    return true;
  case 0x8d: // lea
    Follower(i, taint, i.bytes).setReg(f.has(i.addressRegisters));
    return true;
  case 0x99: // cdq: rdx from rax
    if (f.has(kRaxBit))
      taint.registers |= kRdxBit;
    return true;
  default:
    return false;
  }
}

bool followOneByte(const Instruction& i, LoopTaint& taint) {
  uint8_t op = i.opcode;
  if (op < 0x40 && (op & 7) < 6) {
    followArithmetic(i, taint);
    return true;
  }
  Follower f(i, taint, widthOf(i));
  if (within(op, 0x70, 0x7f)) // jcc
    return !f.flags();
  if (within(op, 0xb0, 0xbf)) // REX.B is not kept: what is not overwritten for sure stays tainted
    return true;
  switch (op) {
  case 0x69: // imul
  case 0x6b: {
    Follower whole(i, taint, i.bytes);
    bool result = whole.rm();
    whole.setFlags(result);
    whole.setReg(result);
    return true;
  }
  case 0x84: // test
  case 0x85:
    f.setFlags(f.rm() || f.reg());
    return true;
  case 0xa8:
  case 0xa9:
    f.setFlags(f.has(kRaxBit));
    return true;
  case 0x90: // nop, pause; with REX an xchg
    return !i.hasRex;
  case 0xe9: // jmp
  case 0xeb:
  case 0x98: // cdqe: rax from rax
    return true;
  default:
    return followMove(i, taint) || followGroup(i, taint);
  }
}

bool followMap0F(const Instruction& i, LoopTaint& taint) {
  uint8_t op = i.opcode;
  Follower f(i, taint, i.bytes);
  if (within(op, 0x80, 0x8f)) // jcc
    return !f.flags();
  if (within(op, 0x40, 0x4f)) { // cmovcc
    if (f.rm() || f.flags())
      taint.registers |= 1u << i.reg;
    return true;
  }
  if (within(op, 0x90, 0x9f)) { // setcc
    Follower byte(i, taint, 1);
    if (i.inMemory || f.flags())
      byte.setRm(f.flags());
    return true;
  }
  if (within(op, 0x18, 0x1f) || op == 0x0d) // hints
    return true;
  switch (op) {
  case 0xb6: // movzx, movsx
  case 0xbe:
    f.setRegister(1u << i.reg, Follower(i, taint, 1).rm());
    return true;
  case 0xb7:
  case 0xbf:
    f.setRegister(1u << i.reg, Follower(i, taint, 2).rm());
    return true;
  case 0xaf: { // imul
    bool result = f.rm() || (taint.registers >> i.reg & 1);
    f.setFlags(result);
    f.setRegister(1u << i.reg, result);
    return true;
  }
  case 0xae: // fences
    return !i.inMemory && i.extension >= 5;
  case 0xb0: // cmpxchg: whatever of it differs decides all of it
  case 0xb1: {
    Follower exchange(i, taint, widthOf(i));
    if (exchange.rm() || exchange.reg() || exchange.has(kRaxBit))
      return false;
    f.setFlags(false);
    return true;
  }
  default:
    return false;
  }
}

} // namespace

bool LoopTaint::touches(uint64_t address, uint32_t bytes) const {
  for (uint32_t i = 0; i < placeCount; ++i)
    if (address < places[i].address + places[i].bytes && places[i].address < address + bytes)
      return true;
  return false;
}

bool LoopTaint::covers(const Place& place) const {
  for (uint32_t i = 0; i < placeCount; ++i)
    if (places[i].address <= place.address &&
        place.address + place.bytes <= places[i].address + places[i].bytes)
      return true;
  return false;
}

void LoopTaint::set(uint64_t address, uint32_t bytes, bool on) {
  for (uint32_t i = 0; i < placeCount; ++i) {
    Place& place = places[i];
    if (place.address < address || place.address + place.bytes > address + bytes)
      continue;
    if (on) { // covers it: one place is enough
      place = {address, bytes};
      return;
    }
    place = places[--placeCount];
    --i;
  }
  if (!on)
    return;
  if (placeCount == kMaxPlaces)
    overflow = true;
  else
    places[placeCount++] = {address, bytes};
}

bool followInstruction(const RoundStep& step, LoopTaint& taint) {
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

} // namespace heddle::rt
