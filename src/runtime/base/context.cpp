#include "runtime/base/context.h"

#include "runtime/base/raw_syscall.h"

#include <asm/prctl.h>
#include <immintrin.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {
constexpr unsigned long kHwcap2FsGsBase = 2;
bool userFsBase = false;
} // namespace

void detectFsGsBase() { userFsBase = (getauxval(AT_HWCAP2) & kHwcap2FsGsBase) != 0; }

uintptr_t readFsBase() {
  uintptr_t base;
  asm("movq %%fs:0, %0" : "=r"(base)); // the TCB's first word points to itself
  return base;
}

void writeFsBase(uintptr_t base) {
  if (__builtin_expect(userFsBase, true))
    _writefsbase_u64(base);
  else
    rawSyscall(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(base));
}

void* makeContext(void* stackTop, void (*entry)()) {
  auto top = reinterpret_cast<uintptr_t>(stackTop) & ~uintptr_t{15};
  auto* words = reinterpret_cast<uintptr_t*>(top);
  words[-1] = 0; // ends backtraces
  words[-2] = reinterpret_cast<uintptr_t>(entry);
  for (int i = 3; i <= 8; ++i)
    words[-i] = 0; // rbp, rbx, r12 ... r15
  constexpr uint32_t defaultMxcsr = 0x1f80;
  constexpr uint16_t defaultControlWord = 0x37f;
  auto* control = reinterpret_cast<unsigned char*>(&words[-9]);
  memcpy(control, &defaultMxcsr, sizeof defaultMxcsr);
  memcpy(control + 4, &defaultControlWord, sizeof defaultControlWord);
  return control;
}

} // namespace heddle::rt
