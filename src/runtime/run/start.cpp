#include "runtime/base/arena.h"
#include "runtime/base/context.h"
#include "runtime/base/persistent.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/scheduler_entry.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/failure/fatal_signal.h"
#include "runtime/memory/donor.h"
#include "runtime/memory/heap.h"
#include "runtime/process/exit_model.h"
#include "runtime/process/interposition.h"
#include "runtime/process/module_fini.h"
#include "runtime/run/program_arguments.h"
#include "runtime/run/run_loop.h"
#include "runtime/run/selftest.h"

#include <new>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/// How the runtime comes to life: before the constructors of any library (.preinit_array), so that
/// threads made by global constructors are fibers already, and again at the entry of main.
namespace heddle::rt {

void startIoModel();
void startTimeModel();
void startSignalModel();

namespace {

struct StartStrategy final : Strategy {};
alignas(StartStrategy) unsigned char startStrategyMemory[sizeof(StartStrategy)];

ProgramMain programMain = nullptr;

long parseDescriptor(const char* text) {
  long value = 0;
  while (*text >= '0' && *text <= '9')
    value = value * 10 + (*text++ - '0');
  return value;
}

[[noreturn]] void refuse(const char* message) {
  if (BatchHeader* batch = persistent().batch)
    strncpy(batch->startupError, message, kMessageBytes - 1);
  rawSyscall(SYS_write, 2, asLong("heddle: "), 8);
  rawSyscall(SYS_write, 2, asLong(message), static_cast<long>(strlen(message)));
  rawSyscall(SYS_write, 2, asLong("\n"), 1);
  rawSyscall(SYS_exit_group, 4);
  __builtin_unreachable();
}

/// Maps the controller's memory and closes the descriptor: the program never sees it.
void attachBatch(char** envp) {
  const char* descriptor = findVariable(envp, kBatchFdVariable);
  if (!descriptor)
    return;
  long fd = parseDescriptor(descriptor);
  BatchHeader probe;
  long got = rawSyscall(SYS_pread64, fd, asLong(&probe), 32, 0);
  if (got != 32 || probe.magic != kBatchMagic)
    refuse(
        "HEDDLE_BATCH_FD does not name the controller's memory; start the program by `heddle run`");
  if (probe.version != kBatchVersion)
    refuse("the program was linked with another version of heddle than the one that runs it: "
           "rebuild it");
  long address = rawSyscall(SYS_mmap, 0, static_cast<long>(probe.totalBytes),
                            PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (address < 0 && address > -4096)
    refuse("the controller's memory cannot be mapped; is the address space limited (ulimit -v)?");
  rawSyscall(SYS_close, fd);
  persistent().batch = reinterpret_cast<BatchHeader*>(address);
  persistent().batch->serverPid = static_cast<uint32_t>(rawSyscall(SYS_getpid));
}

/// Where libraries or the program do not get our definitions, threads would run that we do not see.
void checkInterposition() {
  if (const char* problem = interpositionProblem())
    refuse(problem);
}

void startRuntime(int, char**, char** envp) {
  real::findLoader();
  bindLibcCalls();
  createPersistent();
  attachBatch(envp);
  checkInterposition();
  isSelftest(envp);
  detectFsGsBase();
  real::resolve();
  prepareHeap();
  adoptMainFiber();
  rememberMainTid();
  installFatalSignals();
  registerExitTail();
  startIoModel();
  startTimeModel();
  startSignalModel();
}

__attribute__((section(".preinit_array"), used)) void (*const preinit)(int, char**,
                                                                       char**) = startRuntime;

int enterServer(int argc, char** argv, char** envp) { serve(programMain, argc, argv, envp); }

} // namespace

Strategy* startStrategy() { return new (startStrategyMemory) StartStrategy; }

const void* ioWaitObject() {
  static const char object = 0;
  return &object;
}

} // namespace heddle::rt

using MainFunction = int (*)(int, char**, char**);
using StartMain = int (*)(MainFunction, int, char**, void (*)(), void (*)(), void (*)(), void*);

HEDDLE_INTERPOSE int __libc_start_main(MainFunction program, int argc, char** argv, void (*init)(),
                                       void (*fini)(), void (*rtldFini)(), void* stackEnd) {
  auto real = reinterpret_cast<StartMain>(heddle::rt::real::find("__libc_start_main"));
  heddle::rt::programMain = program;
  return real(heddle::rt::enterServer, argc, argv, init, fini,
              heddle::rt::replaceLoaderFini(rtldFini), stackEnd);
}
