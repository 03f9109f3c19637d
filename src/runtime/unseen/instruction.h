#pragma once

#include <stdint.h>

/// What one machine instruction (x86-64) is and which memory it is about to touch, as far as its
/// encoding says.
namespace heddle::rt {

/// The general registers in the order of their encoding: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi,
/// r8 to r15.
struct MachineRegisters {
  uint64_t general[16];
  uint64_t rip;
  uint64_t flags;
  uint64_t fsBase;
};

struct TouchedMemory {
  uint64_t addresses[2]; ///< where accesses begin; they are at most 64 bytes long
  uint32_t count = 0;
  bool known = true; ///< false: the instruction may touch more, or change what no register shows
};

enum class OpcodeMap : uint8_t { OneByte, Map0F, Map0F38, Map0F3A };

struct Instruction {
  OpcodeMap map = OpcodeMap::OneByte;
  uint8_t opcode = 0;
  bool vector = false; ///< VEX or EVEX
  bool hasRex = false; ///< then sil, dil ... stand for ah, ch ...
  uint8_t bytes = 4;   ///< of an operand that is no byte: 2, 4 or 8
  bool hasModRm = false;
  bool inMemory = false; ///< the operand that ModRM names; else it is the register `rm`
  uint8_t reg = 0;       ///< the other operand
  uint8_t rm = 0;
  uint8_t extension = 0;         ///< the same field as `reg`, where it belongs to the opcode
  uint16_t addressRegisters = 0; ///< bits: who makes the address
  TouchedMemory touched;
};

/// Decodes the instruction at registers.rip, of which only its own bytes are read. What push, pop,
/// call and ret do to the stack is left out of `touched`.
Instruction decodeInstruction(const MachineRegisters& registers);

/// Bytes of the operand in memory, of the common instructions; 64 of others.
uint32_t operandBytes(const Instruction& instruction);

} // namespace heddle::rt
