#include "runtime/unseen/instruction.h"

#include <gtest/gtest.h>

namespace heddle::rt {
namespace {

/// Registers with values that tell them apart: register i has (i + 1) * 0x1000.
MachineRegisters registersAt(const void* code) {
  MachineRegisters registers{};
  for (uint64_t i = 0; i < 16; ++i)
    registers.general[i] = (i + 1) * 0x1000;
  registers.rip = reinterpret_cast<uintptr_t>(code);
  registers.fsBase = 0x700000;
  return registers;
}

TouchedMemory touchedBy(const void* code) { return decodeInstruction(registersAt(code)).touched; }

/// The instruction is assembled into this program, and never executed.
#define INSTRUCTION(name, text)                                                                    \
  asm(".pushsection .text\n" #name ": " text "\n .popsection");                                    \
  extern "C" const char name

#define TOUCHES(name, address)                                                                     \
  EXPECT_EQ(touchedBy(&name).count, 1u) << #name;                                                  \
  EXPECT_TRUE(touchedBy(&name).known) << #name;                                                    \
  EXPECT_EQ(touchedBy(&name).addresses[0], uint64_t{address}) << #name

#define TOUCHES_NOTHING(name)                                                                      \
  EXPECT_EQ(touchedBy(&name).count, 0u) << #name;                                                  \
  EXPECT_TRUE(touchedBy(&name).known) << #name

#define IS_UNKNOWN(name) EXPECT_FALSE(touchedBy(&name).known) << #name

INSTRUCTION(loadBase, "movl (%rbx), %eax");
INSTRUCTION(loadShort, "movq -8(%rbp), %rax");
INSTRUCTION(loadLong, "movl 0x12345(%r13), %eax");
INSTRUCTION(loadIndexed, "movb 4(%rax,%r9,8), %cl");
INSTRUCTION(loadStack, "addl $1, 12(%rsp)");
INSTRUCTION(loadNoBase, "movl 0x40(,%rdx,4), %eax");
INSTRUCTION(loadThread, "movq %fs:16, %rax");
INSTRUCTION(exchange, "lock cmpxchgq %rcx, (%r12)");
INSTRUCTION(vectorLoad, "vmovdqu 32(%r8), %ymm1");
INSTRUCTION(vectorStore, "movaps %xmm2, (%rcx)");
INSTRUCTION(immediate16, "movw $7, 2(%rax)");

TEST(Instruction, OperandsInMemory) {
  TOUCHES(loadBase, 0x4000);
  TOUCHES(loadShort, 0x6000 - 8);
  TOUCHES(loadLong, 0xe000 + 0x12345);
  TOUCHES(loadIndexed, 0x1000 + 8 * 0xa000 + 4);
  TOUCHES(loadStack, 0x5000 + 12);
  TOUCHES(loadNoBase, 4 * 0x3000 + 0x40);
  TOUCHES(loadThread, 0x700010);
  TOUCHES(exchange, 0xd000);
  TOUCHES(vectorLoad, 0x9000 + 32);
  TOUCHES(vectorStore, 0x2000);
  TOUCHES(immediate16, 0x1002);
}

// Relative to the end of the instruction, of which an immediate is a part.
asm(".pushsection .data\n relativeTarget: .quad 0\n .popsection");
extern "C" const char relativeTarget;
INSTRUCTION(relative, "movl relativeTarget(%rip), %eax");
INSTRUCTION(relativeByte, "cmpb $3, relativeTarget(%rip)");
INSTRUCTION(relativeWord, "addw $0x1234, relativeTarget(%rip)");
INSTRUCTION(relativeLong, "movq $0x12345, relativeTarget(%rip)");
INSTRUCTION(relativeTest, "testl $0x12345, relativeTarget(%rip)");
INSTRUCTION(relativeShuffle, "pshufd $1, relativeTarget(%rip), %xmm0");

TEST(Instruction, AddressesRelativeToTheInstruction) {
  auto target = reinterpret_cast<uintptr_t>(&relativeTarget);
  TOUCHES(relative, target);
  TOUCHES(relativeByte, target);
  TOUCHES(relativeWord, target);
  TOUCHES(relativeLong, target);
  TOUCHES(relativeTest, target);
  TOUCHES(relativeShuffle, target);
}

INSTRUCTION(address, "leaq 8(%rax,%rbx,4), %rcx");
INSTRUCTION(longNop, "nopw 0(%rax,%rax,1)");
INSTRUCTION(prefetch, "prefetcht0 (%rax)");
INSTRUCTION(registersOnly, "addq %rax, %r15");
INSTRUCTION(jump, "jne loadBase");
INSTRUCTION(spinHint, "pause");
INSTRUCTION(fence, "mfence");
INSTRUCTION(vectorZero, "vzeroupper");

TEST(Instruction, NothingInMemory) {
  TOUCHES_NOTHING(address);
  TOUCHES_NOTHING(longNop);
  TOUCHES_NOTHING(prefetch);
  TOUCHES_NOTHING(registersOnly);
  TOUCHES_NOTHING(jump);
  TOUCHES_NOTHING(spinHint);
  TOUCHES_NOTHING(fence);
  TOUCHES_NOTHING(vectorZero);
}

INSTRUCTION(kernelCall, "syscall");
INSTRUCTION(saveState, "fxsave (%rax)");
INSTRUCTION(bitFarAway, "btsq %rax, (%rbx)");
INSTRUCTION(gather, "vpgatherdd %ymm0, (%rax,%ymm1,4), %ymm2");
INSTRUCTION(otherSegment, "movl %gs:8, %eax");

TEST(Instruction, WhatIsNotKnown) {
  IS_UNKNOWN(kernelCall);
  IS_UNKNOWN(saveState);
  IS_UNKNOWN(bitFarAway);
  IS_UNKNOWN(gather);
  IS_UNKNOWN(otherSegment);
}

INSTRUCTION(copyString, "rep movsb");

TEST(Instruction, StringsTouchTwoPlaces) {
  TouchedMemory touched = touchedBy(&copyString);
  ASSERT_EQ(touched.count, 2u);
  EXPECT_EQ(touched.addresses[0], 0x7000u);
  EXPECT_EQ(touched.addresses[1], 0x8000u);
}

TEST(Instruction, BytesOfAnOperand) {
  EXPECT_EQ(operandBytes(decodeInstruction(registersAt(&loadIndexed))), 1u);
  EXPECT_EQ(operandBytes(decodeInstruction(registersAt(&immediate16))), 2u);
  EXPECT_EQ(operandBytes(decodeInstruction(registersAt(&loadBase))), 4u);
  EXPECT_EQ(operandBytes(decodeInstruction(registersAt(&loadShort))), 8u);
}

} // namespace
} // namespace heddle::rt
