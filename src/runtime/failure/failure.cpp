#include "runtime/failure/failure.h"

#include "runtime/base/message.h"
#include "runtime/base/persistent.h"
#include "runtime/base/process_end.h"
#include "runtime/base/runtime_section.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler.h"
#include "runtime/io/thread_view.h"
#include "runtime/targets/pattern_watch.h"
#include "runtime/trace/run_record.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

extern "C" __attribute__((visibility("default"), noinline)) void
__heddle_failure(const char* message) {
  asm volatile("" : : "r"(message) : "memory");
}

namespace heddle::rt {

volatile uint32_t runtimeDepth = 0;

namespace {

/// The failure of this run: known before the run ends when a handler of the program comes first.
struct Failure {
  FailureKind kind;
  int signal;
  MemoryFault fault;
  char message[kMessageBytes];
};
Failure failure;
const PendingFailure* pending = nullptr;
bool failing = false;

const char* waitText(WaitKind kind) {
  switch (kind) {
  case WaitKind::None:
    return "nothing";
  case WaitKind::Mutex:
    return "mutex";
  case WaitKind::RwLockRead:
    return "rwlock (to read)";
  case WaitKind::RwLockWrite:
    return "rwlock (to write)";
  case WaitKind::SpinLock:
    return "spin lock";
  case WaitKind::Condition:
    return "condition variable";
  case WaitKind::Barrier:
    return "barrier";
  case WaitKind::Semaphore:
    return "semaphore";
  case WaitKind::Once:
    return "once";
  case WaitKind::Guard:
    return "static initialization";
  case WaitKind::Futex:
    return "futex";
  case WaitKind::Join:
    return "join";
  case WaitKind::Sleep:
    return "sleep";
  case WaitKind::Io:
    return "i/o";
  case WaitKind::Library:
    return "lock inside a library";
  }
  return "?";
}

void copyText(char* to, const char* from, size_t bytes) {
  size_t length = strnlen(from, bytes - 1);
  memmove(to, from, length);
  to[length] = 0;
}

/// Where the fiber is: the call or access that it last told us about.
SiteId siteOf(const Fiber* fiber) {
  return fiber->state == ThreadState::Blocked || fiber->callSite == SiteId::None
             ? fiber->view.pending.site
             : fiber->callSite;
}

ThreadIndex ownerOf(const Fiber* fiber) {
  if (fiber->state != ThreadState::Blocked || !fiber->waitObject)
    return ThreadIndex::None;
  if (fiber->waitKind == WaitKind::Join)
    return static_cast<const Fiber*>(fiber->waitObject)->index();
  const Fiber* holder = holderOf(fiber->waitObject);
  return holder ? holder->index() : ThreadIndex::None;
}

void describeThread(const Fiber* fiber, ThreadDetail& detail) {
  detail.path = fiber->view.path;
  detail.parent = raw(fiber->parent ? fiber->parent->index() : ThreadIndex::None);
  detail.ordinal = fiber->ordinal;
  detail.state = fiber->state;
  detail.wait = fiber->state == ThreadState::Blocked ? fiber->waitKind : WaitKind::None;
  detail.waitObject = reinterpret_cast<uintptr_t>(fiber->waitObject);
  detail.waitOwner = raw(ownerOf(fiber));
  detail.site = raw(siteOf(fiber));
  detail.createSite = raw(fiber->createSite);
  detail.frameCount = copyFrames(fiber, detail.frames);
  detail.createFrameCount =
      fiber->createFrameCount < kMaxFrames ? fiber->createFrameCount : kMaxFrames;
  memcpy(detail.createFrames, fiber->createFrames, detail.createFrameCount * sizeof(uint32_t));
  detail.heldCount = fiber->heldCount < kMaxHeldLocks ? fiber->heldCount : kMaxHeldLocks;
  for (uint32_t i = 0; i < detail.heldCount; ++i)
    detail.held[i] = {reinterpret_cast<uintptr_t>(fiber->held[i].object), raw(fiber->held[i].site),
                      fiber->held[i].shared};
  memcpy(detail.name, fiber->name, sizeof detail.name);
}

void printThread(const Fiber* fiber) {
  uint32_t index = raw(fiber->index());
  if (fiber->state == ThreadState::Finished)
    return;
  if (fiber->state == ThreadState::Runnable) {
    writeError(formatMessage("  T%u: %s", index, fiber == self() ? "running" : "can run"));
    return;
  }
  ThreadIndex owner = ownerOf(fiber);
  const char* relation = fiber->waitKind == WaitKind::Join ? "" : "held by ";
  const char* held =
      owner == ThreadIndex::None ? "" : formatMessage(", %sT%u", relation, raw(owner));
  writeError(formatMessage("  T%u: waits for %s %p%s", index, waitText(fiber->waitKind),
                           fiber->waitObject, held));
}

/// There is no controller to tell: says it on stderr.
[[noreturn]] void printAndLeave() {
  writeError(failure.message);
  for (uint32_t i = 0; i < threadCount(); ++i)
    if (const Fiber* fiber = fiberAt(static_cast<ThreadIndex>(i)))
      printThread(fiber);
  leaveProcess(kFailureStatus);
}

/// Keeps the failure where the controller finds it even if the process is killed next.
void record(FailureKind kind, const char* message, const MemoryFault& fault, int signal) {
  RuntimeSection section;
  failure.kind = kind;
  failure.signal = signal;
  failure.fault = fault;
  copyText(failure.message, message, kMessageBytes);
  __heddle_failure(failure.message);
  BatchHeader* batch = persistent().batch;
  if (!batch)
    return;
  RunDetail& detail = batch->detail;
  const Fiber* fiber = self();
  detail.failure = kind;
  detail.signal = signal;
  detail.address = reinterpret_cast<uintptr_t>(fault.address);
  detail.thread = raw(fiber ? fiber->index() : ThreadIndex::None);
  detail.site = raw(fault.site != SiteId::None || !fiber ? fault.site : siteOf(fiber));
  detail.accessSize = fault.size;
  detail.freeSite = raw(fault.freeSite);
  detail.allocationSite = raw(fault.allocationSite);
  detail.freeThread = raw(fault.freeThread);
  detail.allocationThread = raw(fault.allocationThread);
  copyText(detail.message, message, kMessageBytes);
  describeThreads();
}

[[noreturn]] void endFailed() {
  if (!persistent().batch)
    printAndLeave();
  cutPattern(self());
  endRun(Outcome::Failed, 0);
}

[[noreturn]] void fail(FailureKind kind, const char* message, const MemoryFault& fault,
                       int signal) {
  if (failing) // while the first failure was written: that one counts, as far as it got
    endRun(Outcome::Failed, 0);
  failIfPending();
  // Others may run before it, but not in the middle of a signal's handler.
  if (kind != FailureKind::Crash && kind != FailureKind::Deadlock && kind != FailureKind::Hang)
    halfPoint(EventKind::Failure, nullptr);
  failing = true;
  const char* view = misleadingView();
  if (view && (kind == FailureKind::Assertion || kind == FailureKind::Exception ||
               kind == FailureKind::NotLinearizable))
    loseControl(formatMessage("the program has looked at %s; its failure may come from that: %s",
                              view, message));
  record(kind, message, fault, signal);
  endFailed();
}

} // namespace

void describeThreads() {
  BatchHeader* batch = persistent().batch;
  if (!batch)
    return;
  RunDetail& detail = batch->detail;
  uint32_t count = threadCount();
  detail.threadCount = count < kMaxThreadDetails ? count : kMaxThreadDetails;
  for (uint32_t i = 0; i < detail.threadCount; ++i)
    if (const Fiber* fiber = fiberAt(static_cast<ThreadIndex>(i)))
      describeThread(fiber, detail.threads[i]);
}

void failRun(FailureKind kind, const char* message, const void* address, int signal) {
  MemoryFault fault;
  fault.address = address;
  fail(kind, message, fault, signal);
}

void failMemory(const char* message, const MemoryFault& fault) {
  fail(FailureKind::MemoryError, message, fault, 0);
}

void loseControl(const char* message) {
  record(FailureKind::None, message, {}, 0);
  if (!persistent().batch)
    printAndLeave();
  endRun(Outcome::LostControl, 0);
}

PendingFailure::PendingFailure(FailureKind kind, const char* message, const void* address,
                               int signal)
    : fiber_(self()) {
  if (pending > this) // a failure inside the handler of another: the first one counts
    failIfPending();
  MemoryFault fault;
  fault.address = address;
  record(kind, message, fault, signal);
  pending = this;
}

PendingFailure::~PendingFailure() {
  alive_ = 0;
  pending = nullptr;
  if (BatchHeader* batch = persistent().batch)
    batch->detail.failure = FailureKind::None;
}

bool PendingFailure::isAlive() const {
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return fiber_ == self() && here < reinterpret_cast<uintptr_t>(this) && alive_ == kAlive;
}

void failIfPending() {
  if (!pending)
    return;
  if (pending->isAlive())
    endFailed();
  pending = nullptr;
}

void forgetPending() {
  if (pending && pending->isAlive())
    pending = nullptr;
}

} // namespace heddle::rt
