#include "runtime/unseen/instruction.h"

#include <string.h>

namespace heddle::rt {

namespace {

constexpr OpcodeMap kOneByte = OpcodeMap::OneByte;
constexpr OpcodeMap kMap0F = OpcodeMap::Map0F;
constexpr OpcodeMap kMap0F38 = OpcodeMap::Map0F38;
constexpr OpcodeMap kMap0F3A = OpcodeMap::Map0F3A;

constexpr uint8_t kRexW = 8;
constexpr uint8_t kRexR = 4;
constexpr uint8_t kRexX = 2;
constexpr uint8_t kRexB = 1;
constexpr uint32_t kRbx = 3;
constexpr uint32_t kRsi = 6;
constexpr uint32_t kRdi = 7;

bool within(uint8_t value, uint8_t low, uint8_t high) { return value >= low && value <= high; }

/// One pass over the bytes of an instruction (Intel SDM, volume 2, chapter 2).
class Decoder {
public:
  explicit Decoder(const MachineRegisters& registers)
      : registers_(registers), at_(reinterpret_cast<const uint8_t*>(registers.rip)) {}

  Instruction decode() {
    readPrefixes();
    readOpcode();
    made_.hasRex = rex_ != 0;
    made_.bytes = rex_ & kRexW ? 8 : shortOperands_ ? 2 : 4;
    if (isOpaque())
      touched_.known = false;
    else if (!(map_ == kOneByte && !made_.vector && readImplicit()) && hasModRm())
      readModRm();
    return made_;
  }

private:
  void add(uint64_t address) {
    if (gs_ || shortAddresses_) {
      touched_.known = false;
      return;
    }
    touched_.addresses[touched_.count++] = address + (fs_ ? registers_.fsBase : 0);
  }

  void readPrefixes() {
    for (;; ++at_) {
      switch (*at_) {
      case 0x64:
        fs_ = true;
        continue;
      case 0x65:
        gs_ = true;
        continue;
      case 0x66:
        shortOperands_ = true;
        continue;
      case 0x67:
        shortAddresses_ = true;
        continue;
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0xf0:
      case 0xf2:
      case 0xf3:
        continue;
      default:
        break;
      }
      break;
    }
    if (within(*at_, 0x40, 0x4f))
      rex_ = *at_++;
  }

  void readOpcode() {
    if (*at_ == 0xc5 || *at_ == 0xc4 || *at_ == 0x62)
      return readVectorPrefix();
    opcode_ = *at_++;
    if (opcode_ != 0x0f)
      return;
    map_ = kMap0F;
    opcode_ = *at_++;
    if (opcode_ != 0x38 && opcode_ != 0x3a)
      return;
    map_ = opcode_ == 0x38 ? kMap0F38 : kMap0F3A;
    opcode_ = *at_++;
  }

  /// VEX and EVEX keep the bits of REX inverted.
  void readVectorPrefix() {
    made_.vector = true;
    uint8_t kind = *at_++;
    if (kind == 0xc5) {
      map_ = kMap0F;
      ++at_;
    } else {
      uint8_t first = *at_;
      rex_ = static_cast<uint8_t>(~first >> 5 & 7);
      uint8_t map = first & (kind == 0x62 ? 7 : 31);
      map_ = static_cast<OpcodeMap>(map);
      evex_ = kind == 0x62;
      unknownMap_ = map == 0 || map > 3;
      at_ += evex_ ? 3 : 2;
    }
    opcode_ = *at_++;
  }

  /// Calls of the kernel, interrupts, saved processor states, gathers.
  bool isOpaque() const {
    if (unknownMap_)
      return true;
    if (map_ == kOneByte)
      return within(opcode_, 0x6c, 0x6f) || within(opcode_, 0xe4, 0xe7) ||
             within(opcode_, 0xec, 0xef) || within(opcode_, 0xcc, 0xcf) || opcode_ == 0xf4;
    if (map_ == kMap0F)
      return within(opcode_, 0x05, 0x09) || opcode_ == 0x34 || opcode_ == 0x0b;
    return map_ == kMap0F38 && made_.vector &&
           (within(opcode_, 0x90, 0x93) || within(opcode_, 0xa0, 0xa3));
  }

  /// Instructions that touch memory without an operand that says so; true: it is one.
  bool readImplicit() {
    const uint64_t* r = registers_.general;
    if (within(opcode_, 0xa0, 0xa3)) {
      uint64_t address;
      memcpy(&address, at_, sizeof address);
      add(address);
      return true;
    }
    bool source = opcode_ == 0xa4 || opcode_ == 0xa5 || opcode_ == 0xa6 || opcode_ == 0xa7 ||
                  opcode_ == 0xac || opcode_ == 0xad;
    bool destination = within(opcode_, 0xa4, 0xa7) || opcode_ == 0xaa || opcode_ == 0xab ||
                       opcode_ == 0xae || opcode_ == 0xaf;
    if (source)
      add(r[kRsi]);
    if (destination)
      add(r[kRdi]);
    if (opcode_ == 0xd7)
      add(r[kRbx] + (r[0] & 0xff));
    return source || destination || opcode_ == 0xd7;
  }

  bool hasModRm() const {
    if (map_ == kMap0F38 || map_ == kMap0F3A)
      return true;
    if (map_ == kMap0F)
      return !(within(opcode_, 0x30, 0x37) || opcode_ == 0x77 || within(opcode_, 0x80, 0x8f) ||
               within(opcode_, 0xa0, 0xa2) || within(opcode_, 0xa8, 0xaa) ||
               within(opcode_, 0xc8, 0xcf) || opcode_ == 0x0e);
    if (opcode_ < 0x40)
      return (opcode_ & 7) < 4;
    return opcode_ == 0x63 || opcode_ == 0x69 || opcode_ == 0x6b || within(opcode_, 0x80, 0x8f) ||
           opcode_ == 0xc0 || opcode_ == 0xc1 || opcode_ == 0xc6 || opcode_ == 0xc7 ||
           within(opcode_, 0xd0, 0xd3) || within(opcode_, 0xd8, 0xdf) || opcode_ == 0xf6 ||
           opcode_ == 0xf7 || opcode_ == 0xfe || opcode_ == 0xff;
  }

  /// Addresses that are computed and not accessed: lea, nops, hints and prefetches.
  bool onlyComputes() const {
    if (map_ == kOneByte)
      return opcode_ == 0x8d;
    return map_ == kMap0F && (opcode_ == 0x0d || within(opcode_, 0x18, 0x1f)) && !made_.vector;
  }

  /// fxsave, xsave and the like touch more than 64 bytes, bts and its kin any byte after the
  /// operand.
  bool reachesFar(uint8_t extension) const {
    if (map_ == kOneByte)
      return opcode_ == 0xdd && (extension == 4 || extension == 6);
    if (map_ != kMap0F || made_.vector)
      return false;
    return opcode_ == 0xa3 || opcode_ == 0xab || opcode_ == 0xb3 || opcode_ == 0xbb ||
           (opcode_ == 0xae && extension != 2 && extension != 3 && extension != 7) ||
           (opcode_ == 0xc7 && extension != 1);
  }

  void readModRm() {
    uint8_t modRm = *at_++;
    uint8_t mode = modRm >> 6;
    uint8_t extension = modRm >> 3 & 7;
    made_.hasModRm = true;
    made_.inMemory = mode != 3;
    made_.extension = extension;
    made_.reg = static_cast<uint8_t>(extension + (rex_ & kRexR ? 8 : 0));
    made_.rm = static_cast<uint8_t>((modRm & 7) + (rex_ & kRexB ? 8 : 0));
    if (mode == 3)
      return;
    uint64_t address = readAddress(mode, modRm & 7, extension);
    if (onlyComputes())
      return;
    if (reachesFar(extension) || (evex_ && mode == 1)) // EVEX scales short displacements
      touched_.known = false;
    else
      add(address);
  }

  uint64_t readAddress(uint8_t mode, uint8_t base, uint8_t extension) {
    if (mode == 0 && base == 5) {
      auto displacement = readSigned<int32_t>();
      return reinterpret_cast<uintptr_t>(at_) + immediateBytes(extension) +
             static_cast<uint64_t>(displacement);
    }
    uint64_t address = base == 4 ? readScaledIndex(mode) : general(base, kRexB);
    if (mode == 1)
      address += static_cast<uint64_t>(readSigned<int8_t>());
    else if (mode == 2)
      address += static_cast<uint64_t>(readSigned<int32_t>());
    return address;
  }

  uint64_t readScaledIndex(uint8_t mode) {
    uint8_t sib = *at_++;
    uint8_t index = sib >> 3 & 7;
    uint64_t address = 0;
    if (index != 4 || (rex_ & kRexX))
      address = general(index, kRexX) << (sib >> 6);
    if ((sib & 7) == 5 && mode == 0)
      return address + static_cast<uint64_t>(readSigned<int32_t>());
    return address + general(sib & 7, kRexB);
  }

  uint64_t general(uint8_t number, uint8_t rexBit) {
    uint32_t i = number + (rex_ & rexBit ? 8u : 0u);
    made_.addressRegisters |= static_cast<uint16_t>(1u << i);
    return registers_.general[i];
  }

  template <typename T> int64_t readSigned() {
    T value;
    memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  /// What follows the operand: addresses relative to the next instruction count from after it.
  uint32_t immediateBytes(uint8_t extension) const {
    uint32_t whole = shortOperands_ && !(rex_ & kRexW) ? 2 : 4;
    if (map_ == kMap0F3A)
      return 1;
    if (map_ == kMap0F)
      return within(opcode_, 0x70, 0x73) || opcode_ == 0xa4 || opcode_ == 0xac || opcode_ == 0xba ||
             opcode_ == 0xc2 || within(opcode_, 0xc4, 0xc6);
    if (map_ == kMap0F38)
      return 0;
    if (opcode_ == 0x81 || opcode_ == 0x69 || opcode_ == 0xc7)
      return whole;
    if (opcode_ == 0xf6 || opcode_ == 0xf7)
      return extension > 1 ? 0 : opcode_ == 0xf6 ? 1 : whole;
    return opcode_ == 0x80 || opcode_ == 0x83 || opcode_ == 0x6b || opcode_ == 0xc0 ||
           opcode_ == 0xc1 || opcode_ == 0xc6;
  }

  const MachineRegisters& registers_;
  const uint8_t* at_;
  Instruction made_;
  TouchedMemory& touched_ = made_.touched;
  OpcodeMap& map_ = made_.map;
  uint8_t& opcode_ = made_.opcode;
  uint8_t rex_ = 0;
  bool fs_ = false;
  bool gs_ = false;
  bool shortOperands_ = false;
  bool shortAddresses_ = false;
  bool evex_ = false;
  bool unknownMap_ = false;
};

} // namespace

Instruction decodeInstruction(const MachineRegisters& registers) {
  return Decoder(registers).decode();
}

uint32_t operandBytes(const Instruction& instruction) {
  uint8_t op = instruction.opcode;
  uint32_t width = op & 1 ? instruction.bytes : 1;
  if (instruction.vector)
    return 64;
  if (instruction.map == kOneByte)
    return op == 0x63 ? 4 : within(op, 0xd8, 0xdf) ? 64 : width;
  if (instruction.map != kMap0F)
    return 64;
  if (op == 0xb6 || op == 0xbe || within(op, 0x90, 0x9f))
    return 1;
  if (op == 0xb7 || op == 0xbf)
    return 2;
  if (op == 0xb0 || op == 0xb1 || op == 0xc0 || op == 0xc1)
    return width;
  return within(op, 0x40, 0x4f) || op == 0xaf || op == 0xba ? instruction.bytes : 64;
}

} // namespace heddle::rt
