#include "runtime/unseen/interrupted_thread.h"

#include "runtime/base/arena.h"
#include "runtime/base/code_places.h"
#include "runtime/base/runtime_section.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/memory/donor.h"

#include <string.h>

namespace heddle::rt {

namespace {

/// What a handler on a thread's own stack needs below it.
constexpr uintptr_t kStackRoom = 16 << 10;

/// Whether the thread stands on a stack that has room for a handler.
bool hasRoom(uintptr_t stackPointer) {
  const Donor* donor = scheduler.current->donor;
  uintptr_t low = donor ? donor->stackLow : kMainStackBase;
  size_t bytes = donor ? donor->stackBytes : kMainStackBytes;
  return stackPointer - low < bytes && stackPointer - low > kStackRoom;
}

/// What the kernel has saved of the other registers. The layout is that of fxsave; after it the
/// area of xsave, if the bytes that fxsave leaves free say so (Linux: struct _fpx_sw_bytes).
void addVectors(const ucontext_t* context, MachineState& state) {
  constexpr size_t legacyBytes = 512;
  constexpr uint32_t extendedMagic = 0x46505853;
  struct {
    uint32_t magic;
    uint32_t extendedBytes;
    uint64_t features;
    uint32_t stateBytes;
  } extension{};
  const auto* saved = reinterpret_cast<const unsigned char*>(context->uc_mcontext.fpregs);
  if (!saved)
    return;
  memcpy(&extension, saved + legacyBytes - 48, sizeof extension);
  state.vectors = saved;
  state.vectorBytes = extension.magic == extendedMagic ? extension.stateBytes : legacyBytes;
}

} // namespace

uintptr_t ripOf(const ucontext_t* context) {
  return static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RIP]);
}

bool isBreakable(const ucontext_t* context) {
  uintptr_t rip = ripOf(context);
  return runtimeDepth == 0 && !isRuntimeCode(rip) && !isSystemCode(rip) &&
         hasRoom(static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RSP]));
}

MachineState stateOf(const ucontext_t* context) {
  constexpr int order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                           REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  MachineState state{};
  const greg_t* registers = context->uc_mcontext.gregs;
  for (uint32_t i = 0; i < 16; ++i)
    state.registers.general[i] = static_cast<uint64_t>(registers[order[i]]);
  state.registers.rip = ripOf(context);
  state.registers.flags = static_cast<uint64_t>(registers[REG_EFL]);
  state.registers.fsBase = scheduler.current->fsBase;
  state.breakable = isBreakable(context);
  addVectors(context, state);
  return state;
}

} // namespace heddle::rt
