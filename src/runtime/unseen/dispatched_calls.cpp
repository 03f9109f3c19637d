#include "runtime/unseen/dispatched_calls.h"

#include "model/known_libraries.h"
#include "runtime/base/arena.h"
#include "runtime/base/caller_state.h"
#include "runtime/base/code_places.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler.h"
#include "runtime/unseen/system_call_model.h"

#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

namespace heddle::rt {

namespace {

constexpr long kDispatchInclusive = 2; ///< PR_SYS_DISPATCH_INCLUSIVE_ON
constexpr int kDispatched = 2;         ///< SYS_USER_DISPATCH, of si_code
/// Larger code is not read, and counts as code that has system calls.
constexpr size_t kMaxRead = 32 << 20;

enum class Content : uint8_t {
  Barrier,   ///< must not be in the range
  NoCalls,   ///< may be in the range
  SomeCalls, ///< has the instruction
  FutexCalls ///< and the number of futex
};

struct Module {
  CodeBounds code;
  Content content;
};
constexpr uint32_t kMaxModules = 256;
HEDDLE_LARGE Module modules[kMaxModules];
uint32_t moduleCount = 0;
CodeBounds chosen{};
SignalHandler otherHandler = nullptr;

bool contains(const CodeBounds& code, const void* bytes, size_t count) {
  return memmem(reinterpret_cast<const void*>(code.begin), code.end - code.begin, bytes, count);
}

/// By the bytes: that they are found inside of another instruction costs only time.
Content contentOf(const CodeBounds& code) {
  constexpr unsigned char instruction[] = {0x0f, 0x05};
  constexpr uint32_t number = SYS_futex;
  if (code.end - code.begin > kMaxRead)
    return Content::SomeCalls;
  if (!contains(code, instruction, sizeof instruction))
    return Content::NoCalls;
  return contains(code, &number, sizeof number) ? Content::FutexCalls : Content::SomeCalls;
}

/// In order of address.
void addModule(const CodeBounds& code, Content content) {
  if (moduleCount == kMaxModules || code.begin >= code.end)
    return;
  uint32_t at = moduleCount++;
  for (; at > 0 && modules[at - 1].code.begin > code.begin; --at)
    modules[at] = modules[at - 1];
  modules[at] = {code, content};
}

/// The executable has the runtime in it. Its code is dispatched only for the sake of futexes.
void addExecutable(const CodeBounds& code) {
  CodeBounds own = runtimeCode();
  if (own.begin < code.begin || own.end > code.end) // or none is known
    return addModule(code, Content::Barrier);
  const CodeBounds parts[] = {{code.begin, own.begin}, {own.end, code.end}};
  for (const CodeBounds& part : parts) {
    Content content = contentOf(part);
    addModule(part, content == Content::SomeCalls ? Content::NoCalls : content);
  }
  addModule(own, Content::Barrier);
}

int addModules(dl_phdr_info* info, size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || !(part.p_flags & PF_X))
      continue;
    uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    CodeBounds code{begin, begin + part.p_memsz};
    if (info->dlpi_name[0] == 0)
      addExecutable(code);
    else if (isKnownLibrary(info->dlpi_name) || !(part.p_flags & PF_R))
      addModule(code, Content::Barrier);
    else
      addModule(code, contentOf(code));
  }
  return 0;
}

/// From the first to the last module with such content, as long as no barrier lies between them.
CodeBounds findRange(Content wanted) {
  CodeBounds range{};
  for (uint32_t i = 0; i < moduleCount; ++i) {
    if (modules[i].content == Content::Barrier && range.end != 0)
      break;
    if (modules[i].content < wanted)
      continue;
    if (range.end == 0)
      range.begin = modules[i].code.begin;
    range.end = modules[i].code.end;
  }
  return range;
}

void captureCaller(const greg_t* registers) {
  constexpr int kept[] = {REG_RBX, REG_RBP, REG_R12, REG_R13, REG_R14, REG_R15};
  constexpr int others[] = {REG_RAX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10};
  constexpr uint64_t redZone = 128;
  if (heddleCaller.wanted == 0)
    return;
  heddleCaller.entry = CallerEntry::Hook;
  heddleCaller.stackPointer = static_cast<uint64_t>(registers[REG_RSP]) - redZone;
  for (uint32_t i = 0; i < 6; ++i)
    heddleCaller.kept[i] = static_cast<uint64_t>(registers[kept[i]]);
  for (uint32_t i = 0; i < 8; ++i)
    heddleCaller.others[i] = static_cast<uint64_t>(registers[others[i]]);
}

long callInHandler(long number, const long* arguments) {
  if (number == SYS_rt_sigreturn)
    loseControl("code that heddle does not see returns from a signal handler by a system call of "
                "its own");
  if (!controlled())
    return rawSyscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                      arguments[5]);
  int error = errno;
  long result = modelSystemCall(number, arguments);
  if (result == -1)
    result = -errno;
  errno = error;
  return result;
}

/// On the stack of the thread, which may be switched away in here.
void onSystemCall(int signal, siginfo_t* info, void* place) {
  if (info->si_code != kDispatched)
    return otherHandler(signal, info, place);
  greg_t* registers = static_cast<ucontext_t*>(place)->uc_mcontext.gregs;
  const long arguments[] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                            registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
  captureCaller(registers);
  registers[REG_RAX] = callInHandler(registers[REG_RAX], arguments);
}

} // namespace

void setOtherSystemCallHandler(SignalHandler handler) { otherHandler = handler; }

void findDispatchedCode() {
  moduleCount = 0;
  dl_iterate_phdr(addModules, nullptr);
  chosen = findRange(Content::FutexCalls);
  if (chosen.end == 0)
    chosen = findRange(Content::SomeCalls);
}

void dispatchCalls() {
  if (chosen.end == 0)
    return;
  installHandler(SIGSYS, onSystemCall, SA_NODEFER, 0);
  rawSyscall(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, kDispatchInclusive,
             static_cast<long>(chosen.begin), static_cast<long>(chosen.end - chosen.begin), 0);
}

} // namespace heddle::rt
