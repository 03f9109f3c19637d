#include "stepper.h"

#include <gtest/gtest.h>

#include <cstdint>

/// Loops are assembly, so that what they do does not depend on the compiler. Each ends when *stop
/// is 1; the C++ ones are compiled without optimisation.
namespace heddle::rt {
namespace {

int word;
int64_t attempts;
volatile int table[4096];
double number = 1;
const double factor = 1.0000001;

#define LOOP(name, body)                                                                           \
  void name(volatile int* stop) {                                                                  \
    asm volatile(body ::"D"(stop)                                                                  \
                 : "rax", "rbx", "rcx", "rdx", "r8", "xmm0", "xmm1", "memory", "cc");              \
  }

LOOP(waits, "1: cmpl $0, (%%rdi)\n je 1b")
LOOP(waitsWithPause, "1: pause\n movl (%%rdi), %%eax\n testl %%eax, %%eax\n jz 1b")
LOOP(pausesManyTimes, "1: movl $9, %%ecx\n 2: pause\n subl $1, %%ecx\n jnz 2b\n"
                      "cmpl $0, (%%rdi)\n je 1b")
LOOP(exchanges, "1: movl $1, %%eax\n xchgl %%eax, word%=(%%rip)\n cmpl $0, (%%rdi)\n je 1b\n"
                ".pushsection .data\n word%=: .long 1\n .popsection")
LOOP(countsInRegister, "xorl %%eax, %%eax\n 1: incq %%rax\n cmpl $0, (%%rdi)\n je 1b")
LOOP(countsByLea, "xorl %%eax, %%eax\n 1: leaq 1(%%rax), %%rax\n movq %%rax, %%r8\n"
                  "cmpl $0, (%%rdi)\n je 1b")
LOOP(countsInMemory, "1: addq $1, spins%=(%%rip)\n cmpl $0, (%%rdi)\n je 1b\n"
                     ".pushsection .data\n spins%=: .quad 0\n .popsection")
LOOP(countsOnStack, "pushq $0\n 1: addq $1, (%%rsp)\n cmpl $0, (%%rdi)\n je 1b\n popq %%rax")
LOOP(countsThroughCall, "xorl %%eax, %%eax\n 1: call 2f\n cmpl $0, (%%rdi)\n je 1b\n jmp 3f\n"
                        "2: pushq %%rbx\n movq %%rax, %%rbx\n addq $1, %%rbx\n movq %%rbx, %%rax\n"
                        "popq %%rbx\n ret\n 3:")
// Loops that end by themselves, late.
LOOP(endsByCount, "xorl %%eax, %%eax\n 1: incq %%rax\n cmpq $100000, %%rax\n ja 2f\n"
                  "cmpl $0, (%%rdi)\n je 1b\n 2:")
LOOP(endsByCountInMemory, "1: addq $1, n%=(%%rip)\n cmpq $100000, n%=(%%rip)\n ja 2f\n"
                          "cmpl $0, (%%rdi)\n je 1b\n 2:\n"
                          ".pushsection .data\n n%=: .quad 0\n .popsection")
LOOP(endsByFlagsOfCount,
     "movl $100000, %%eax\n 1: cmpl $1, (%%rdi)\n je 2f\n decl %%eax\n jnz 1b\n 2:")
LOOP(endsByCopyOfCount, "xorl %%eax, %%eax\n 1: incq %%rax\n movq %%rax, %%rbx\n shrq $20, %%rbx\n"
                        "testq %%rbx, %%rbx\n jnz 2f\n cmpl $0, (%%rdi)\n je 1b\n 2:")
LOOP(readsTheClock, "1: rdtsc\n cmpl $0, (%%rdi)\n je 1b")
LOOP(asksTheKernel,
     "1: movl $39, %%eax\n pushq %%rdi\n syscall\n popq %%rdi\n cmpl $0, (%%rdi)\n je 1b")
LOOP(multiplies, "movl $3, %%eax\n 1: imulq $7, %%rax\n cmpq $12345, %%rax\n je 2f\n"
                 "cmpl $0, (%%rdi)\n je 1b\n 2:")

void walksThroughTable(volatile int* stop) {
  int sum = 0;
  for (int round = 0; !*stop; ++round)
    sum += table[round % 4096];
  word = sum;
}

void computesWithNumbers(volatile int* stop) {
  while (!*stop && number < 1e300)
    number = number * factor;
}

void compiledCounter(volatile int* stop) {
  while (!*stop)
    ++attempts;
}

LoopProof proofOf(void (*loop)(volatile int*)) { return watchLoop(loop).proof; }

TEST(LoopWatch, WaitingRepeatsItself) {
  EXPECT_EQ(proofOf(waits), LoopProof::Repeats);
  EXPECT_EQ(proofOf(waitsWithPause), LoopProof::Repeats);
  EXPECT_EQ(proofOf(pausesManyTimes), LoopProof::Repeats);
  EXPECT_EQ(proofOf(exchanges), LoopProof::Repeats);
}

TEST(LoopWatch, IsProvenSoon) { EXPECT_LT(watchLoop(waits).steps, 20u); }

TEST(LoopWatch, CountingThatDecidesNothing) {
  EXPECT_EQ(proofOf(countsInRegister), LoopProof::Counts);
  EXPECT_EQ(proofOf(countsByLea), LoopProof::Counts);
  EXPECT_EQ(proofOf(countsInMemory), LoopProof::Counts);
  EXPECT_EQ(proofOf(countsOnStack), LoopProof::Counts);
  EXPECT_EQ(proofOf(countsThroughCall), LoopProof::Counts);
  EXPECT_EQ(proofOf(compiledCounter), LoopProof::Counts);
}

TEST(LoopWatch, CountingThatEndsTheLoop) {
  EXPECT_EQ(proofOf(endsByCount), LoopProof::None);
  EXPECT_EQ(proofOf(endsByCountInMemory), LoopProof::None);
  EXPECT_EQ(proofOf(endsByFlagsOfCount), LoopProof::None);
  EXPECT_EQ(proofOf(endsByCopyOfCount), LoopProof::None);
}

TEST(LoopWatch, NothingIsProvenOfComputing) {
  EXPECT_EQ(proofOf(multiplies), LoopProof::None);
  EXPECT_EQ(proofOf(walksThroughTable), LoopProof::None);
  EXPECT_EQ(proofOf(computesWithNumbers), LoopProof::None);
}

TEST(LoopWatch, NothingIsProvenOfWhatComesFromOutside) {
  EXPECT_EQ(proofOf(asksTheKernel), LoopProof::None);
  EXPECT_EQ(proofOf(readsTheClock), LoopProof::None);
}

TEST(LoopWatch, ALoopWithALimitLooksLikeWaiting) {
  EXPECT_TRUE(watchLoop(endsByCount).looksLikeWaiting);
  EXPECT_FALSE(watchLoop(walksThroughTable).looksLikeWaiting);
}

} // namespace
} // namespace heddle::rt
