#include "runtime/base/message.h"
#include "runtime/base/persistent.h"
#include "runtime/base/process_end.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler.h"
#include "runtime/failure/exception_text.h"
#include "runtime/failure/failure.h"
#include "runtime/signals/signal_model.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

/// Ways in which a program ends itself because something is wrong: failed assertions, abort,
/// uncaught exceptions, and checks that the compiler inserted.
namespace heddle::rt {

namespace {

/// With a controller stderr is captured and belongs to the program's output; without one failRun
/// prints the message.
void printAsProgram(const char* message) {
  if (!persistent().batch)
    return;
  rawSyscall(SYS_write, 2, asLong(message), static_cast<long>(strlen(message)));
  rawSyscall(SYS_write, 2, asLong("\n"), 1);
}

/// abort() with a known reason: the program's handler for SIGABRT may look at it first.
[[noreturn]] void failByAbort(FailureKind kind, const char* message) {
  failIfPending();
  if (programHandles(SIGABRT)) {
    PendingFailure failure(kind, message, nullptr, SIGABRT);
    siginfo_t info{};
    info.si_signo = SIGABRT;
    info.si_code = SI_TKILL;
    callProgramHandler(SIGABRT, &info, nullptr);
    failIfPending();
  }
  failRun(kind, message, nullptr, SIGABRT);
}

/// A thread that has seen what another one's unit of work has done by half often fails at once. The
/// others may go on first, so that the pattern is completed.
void letOthersFinish() {
  if (self()->windows != 0)
    point(EventKind::Exit, nullptr);
}

/// Without control the program ends as it would without us.
[[noreturn]] void abortUncontrolled(const char* message) {
  if (message)
    writeError(message);
  abortForReal();
}

[[noreturn]] void failCheck(FailureKind kind, const char* message) {
  if (!controlled())
    abortUncontrolled(message);
  printAsProgram(message);
  failByAbort(kind, message);
}

/// "uncaught exception of type `std::runtime_error`: text".
[[noreturn]] void failByException(const char* format, const char* type) {
  char head[1024];
  strncpy(head, formatMessage(format, type), sizeof head - 1);
  head[sizeof head - 1] = 0;
  const char* text = nullptr;
  {
    // what() is code of the program and may fail itself.
    PendingFailure failure(FailureKind::Exception, head, nullptr, SIGABRT);
    text = currentExceptionText();
  }
  const char* message = *text ? formatMessage("%s: %s", head, text) : head;
  printAsProgram(message);
  failByAbort(FailureKind::Exception, message);
}

const char* assertionText(const char* file, unsigned line, const char* function,
                          const char* expression) {
  return formatMessage("%s:%u: %s%sAssertion `%s' failed.", file, line, function ? function : "",
                       function ? ": " : "", expression);
}

} // namespace
} // namespace heddle::rt

using namespace heddle::rt;
using heddle::FailureKind;

HEDDLE_INTERPOSE void abort() {
  if (!controlled())
    abortUncontrolled(nullptr);
  failIfPending();
  letOthersFinish();
  if (const char* type = currentExceptionType())
    failByException("abort() called while handling an exception of type `%s`", type);
  failByAbort(FailureKind::Assertion, "abort() called");
}

HEDDLE_INTERPOSE void __assert_fail(const char* expression, const char* file, unsigned line,
                                    const char* function) {
  if (!controlled())
    real::__assert_fail(expression, file, line, function);
  letOthersFinish();
  failCheck(FailureKind::Assertion, assertionText(file, line, function, expression));
}

HEDDLE_INTERPOSE void __assert(const char* expression, const char* file, int line) {
  __assert_fail(expression, file, static_cast<unsigned>(line), nullptr);
}

HEDDLE_INTERPOSE void __assert_perror_fail(int error, const char* file, unsigned line,
                                           const char* function) {
  if (!controlled())
    real::__assert_perror_fail(error, file, line, function);
  const char* name = strerrordesc_np(error);
  failCheck(FailureKind::Assertion,
            formatMessage("%s:%u: %s: Unexpected error: %s.", file, line, function ? function : "?",
                          name ? name : "unknown"));
}

/// HEDDLE_ASSERT of heddle.h.
HEDDLE_INTERPOSE void heddle_assert_failed(const char* expression, const char* file, int line,
                                           const char* function) {
  if (controlled())
    letOthersFinish();
  failCheck(FailureKind::Assertion,
            assertionText(file, static_cast<unsigned>(line), function, expression));
}

/// What tests call that `heddle synth` has written, when their calls gave an outcome that no serial
/// order of them gives. Without control they go on to an assertion of their own.
HEDDLE_INTERPOSE void heddle_not_linearizable(const char* seen, const char* legal) {
  if (!controlled())
    return;
  letOthersFinish();
  failCheck(FailureKind::NotLinearizable,
            formatMessage("no serial order of the calls gives the outcome `%s`; they give %s", seen,
                          legal));
}

HEDDLE_INTERPOSE void __stack_chk_fail() {
  failCheck(FailureKind::MemoryError, "stack smashing detected: a buffer on the stack overflowed");
}

HEDDLE_INTERPOSE void __chk_fail() {
  failCheck(FailureKind::MemoryError, "buffer overflow detected by a checked libc function");
}

HEDDLE_INTERPOSE void __cxa_pure_virtual() {
  failCheck(FailureKind::Crash,
            "pure virtual method called: the object is being constructed or destroyed");
}

HEDDLE_INTERPOSE void __cxa_deleted_virtual() {
  failCheck(FailureKind::Crash, "deleted virtual method called");
}

/// __gnu_cxx::__verbose_terminate_handler: what std::terminate calls unless the program has set a
/// handler of its own.
HEDDLE_INTERPOSE void heddleTerminate() asm("_ZN9__gnu_cxx27__verbose_terminate_handlerEv");
void heddleTerminate() {
  const char* type = currentExceptionType();
  if (!controlled())
    abortUncontrolled(type ? formatMessage("uncaught exception of type `%s`", type)
                           : "std::terminate called without an active exception");
  failIfPending();
  letOthersFinish();
  if (type)
    failByException("uncaught exception of type `%s`", type);
  failCheck(FailureKind::Assertion, "std::terminate called without an active exception");
}
