#include "stepper.h"

#include <csignal>
#include <cstring>
#include <ucontext.h>

namespace heddle::rt {
namespace {

volatile int stop;
uint64_t most;
Watched result;

size_t readOwn(uint64_t address, void* to, size_t bytes) {
  memcpy(to, reinterpret_cast<const void*>(address), bytes);
  return bytes;
}

extern "C" const char __executable_start, etext;

bool isWritable(uint64_t address) {
  return address < reinterpret_cast<uint64_t>(&__executable_start) ||
         address >= reinterpret_cast<uint64_t>(&etext);
}

constexpr MemoryView kMemory{readOwn, isWritable};
LoopWatch watch(kMemory);

void end(ucontext_t* context) {
  constexpr greg_t trap = 0x100;
  context->uc_mcontext.gregs[REG_EFL] &= ~trap;
  result.looksLikeWaiting = watch.looksLikeWaiting();
  result.steps = watch.steps();
  stop = 1;
}

void onStep(int, siginfo_t*, void* place) {
  auto* context = static_cast<ucontext_t*>(place);
  constexpr int order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                           REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  MachineState state{};
  const greg_t* registers = context->uc_mcontext.gregs;
  for (int i = 0; i < 16; ++i)
    state.registers.general[i] = static_cast<uint64_t>(registers[order[i]]);
  state.registers.rip = static_cast<uint64_t>(registers[REG_RIP]);
  state.registers.flags = static_cast<uint64_t>(registers[REG_EFL]);
  state.vectors = context->uc_mcontext.fpregs;
  state.vectorBytes = 416;
  state.breakable = true;
  result.proof = watch.step(state);
  if (result.proof != LoopProof::None || watch.steps() == most)
    end(context);
}

} // namespace

Watched watchLoop(void (*loop)(volatile int*), uint64_t mostSteps) {
  struct sigaction action{}, before{};
  action.sa_sigaction = onStep;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, &before);
  stop = 0;
  most = mostSteps;
  result = {};
  watch.begin();
  asm volatile("pushfq\n orq $0x100, (%%rsp)\n popfq" ::: "memory", "cc");
  loop(&stop);
  asm volatile("pushfq\n andq $~0x100, (%%rsp)\n popfq" ::: "memory", "cc");
  sigaction(SIGTRAP, &before, nullptr);
  return result;
}

} // namespace heddle::rt
