#include "runtime/io/file_locks_and_queues.h"

#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/base/restorable.h"
#include "runtime/core/cancellation.h"
#include "runtime/io/io_model.h"
#include "runtime/time/timeout.h"
#include "runtime/time/virtual_time.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::rt {

namespace {

/// A system call in its non-blocking form, to be tried until it succeeds.
struct Trial {
  long number;
  long arguments[5];
  long result = 0;
};

bool blocks(long result) { return result == -EAGAIN || result == -EACCES || result == -ENOMSG; }

bool tryCall(void* context) {
  auto& trial = *static_cast<Trial*>(context);
  const long* a = trial.arguments;
  trial.result = rawSyscall(trial.number, a[0], a[1], a[2], a[3], a[4]);
  return !blocks(trial.result);
}

/// EAGAIN when the deadline has passed.
long tryUntil(Trial& trial, uint64_t deadline) {
  while (!tryCall(&trial)) {
    if (deadline <= now())
      return -EAGAIN;
    IoWait wait;
    wait.attempt = tryCall;
    wait.context = &trial;
    wait.reach = Reach::Outside;
    switch (waitForIo(wait, deadline)) {
    case IoOutcome::Ready:
      if (!blocks(trial.result))
        return trial.result;
      break;
    case IoOutcome::TimedOut:
      return -EAGAIN;
    case IoOutcome::Interrupted:
      return -EINTR;
    }
  }
  return trial.result;
}

} // namespace

bool isLockCommand(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
         command == F_OFD_SETLKW;
}

long lockFile(int fd, int command, long argument) {
  beginIo(fd);
  if (command == F_SETLK || command == F_OFD_SETLK) {
    long result = rawSyscall(SYS_fcntl, fd, command, argument);
    if (blocks(result))
      noteFutileAttempt(descriptorObject(fd));
    refreshIoWaits();
    return result;
  }
  int once = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
  Trial trial{SYS_fcntl, {fd, once, argument, 0, 0}};
  long result = tryUntil(trial, kNoDeadline);
  refreshIoWaits();
  return result;
}

} // namespace heddle::rt

using namespace heddle;
using namespace heddle::rt;

namespace {

/// POSIX message queues take an absolute time of CLOCK_REALTIME.
uint64_t queueDeadline(const timespec* time) { return deadlineOf({CLOCK_REALTIME, time}); }

/// A queue's descriptor can be polled; a time in the past keeps the kernel from waiting.
template <typename Call>
long queueCall(mqd_t queue, short events, const timespec* time, Call call) {
  if (time && !validTime(*time))
    return -EINVAL;
  beginIo(queue);
  noteNotRestorable("message queue");
  long result = callWhenReady(queue, {events, false, queueDeadline(time)}, [&] {
    timespec past{0, 0};
    long got = call(&past);
    return got == -ETIMEDOUT ? -EAGAIN : got;
  });
  return result == -EAGAIN && !isNonBlocking(queue) ? -ETIMEDOUT : result;
}

ssize_t receiveFrom(mqd_t queue, char* message, size_t bytes, unsigned* priority,
                    const timespec* time) {
  return endIo(queueCall(queue, POLLIN, time, [&](timespec* past) {
    return rawSyscall(SYS_mq_timedreceive, queue, asLong(message), static_cast<long>(bytes),
                      asLong(priority), asLong(past));
  }));
}

int sendTo(mqd_t queue, const char* message, size_t bytes, unsigned priority,
           const timespec* time) {
  return static_cast<int>(endIo(queueCall(queue, POLLOUT, time, [&](timespec* past) {
    return rawSyscall(SYS_mq_timedsend, queue, asLong(message), static_cast<long>(bytes), priority,
                      asLong(past));
  })));
}

} // namespace

HEDDLE_INTERPOSE int flock(int fd, int operation) {
  if (!controlled())
    return static_cast<int>(withErrno(rawSyscall(SYS_flock, fd, operation)));
  beginIo(fd);
  Trial trial{SYS_flock, {fd, operation | LOCK_NB, 0, 0, 0}};
  uint64_t deadline = operation & LOCK_NB ? 0 : kNoDeadline;
  return static_cast<int>(endIo(tryUntil(trial, deadline)));
}

HEDDLE_INTERPOSE int lockf(int fd, int command, off_t length) {
  if (!controlled() || command == F_TEST)
    return real::lockf(fd, command, length);
  struct flock lock{};
  lock.l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK;
  lock.l_whence = SEEK_CUR;
  lock.l_len = length;
  return static_cast<int>(
      withErrno(lockFile(fd, command == F_LOCK ? F_SETLKW : F_SETLK, asLong(&lock))));
}

HEDDLE_INTERPOSE int lockf64(int fd, int command, off64_t length) {
  return lockf(fd, command, length);
}

HEDDLE_INTERPOSE ssize_t msgrcv(int queue, void* message, size_t bytes, long type, int flags) {
  if (!controlled())
    return real::msgrcv(queue, message, bytes, type, flags);
  point(EventKind::Io, nullptr);
  cancellationPoint();
  noteNotRestorable("msgrcv");
  Trial trial{SYS_msgrcv,
              {queue, asLong(message), static_cast<long>(bytes), type, flags | IPC_NOWAIT}};
  long result = tryUntil(trial, flags & IPC_NOWAIT ? 0 : kNoDeadline);
  return endIo(result == -EAGAIN ? -ENOMSG : result);
}

HEDDLE_INTERPOSE int msgsnd(int queue, const void* message, size_t bytes, int flags) {
  if (!controlled())
    return real::msgsnd(queue, message, bytes, flags);
  point(EventKind::Io, nullptr);
  cancellationPoint();
  noteNotRestorable("msgsnd");
  Trial trial{SYS_msgsnd,
              {queue, asLong(message), static_cast<long>(bytes), flags | IPC_NOWAIT, 0}};
  return static_cast<int>(endIo(tryUntil(trial, flags & IPC_NOWAIT ? 0 : kNoDeadline)));
}

HEDDLE_INTERPOSE int semtimedop(int set, sembuf* operations, size_t count,
                                const timespec* timeout) {
  constexpr size_t kMaxOperations = 500; // SEMOPM
  if (!controlled() || count > kMaxOperations)
    return real::semtimedop(set, operations, count, timeout);
  point(EventKind::Io, nullptr);
  noteNotRestorable("semop");
  sembuf copies[kMaxOperations];
  bool once = false;
  for (size_t i = 0; i < count; ++i) {
    copies[i] = operations[i];
    once |= (operations[i].sem_flg & IPC_NOWAIT) != 0;
    copies[i].sem_flg = static_cast<short>(copies[i].sem_flg | IPC_NOWAIT);
  }
  Trial trial{SYS_semtimedop, {set, asLong(copies), static_cast<long>(count), 0, 0}};
  uint64_t deadline = timeout ? deadlineAfter(nanosecondsOf(*timeout)) : kNoDeadline;
  return static_cast<int>(endIo(tryUntil(trial, once ? 0 : deadline)));
}

HEDDLE_INTERPOSE int semop(int set, sembuf* operations, size_t count) {
  return semtimedop(set, operations, count, nullptr);
}

HEDDLE_INTERPOSE ssize_t mq_timedreceive(mqd_t queue, char* message, size_t bytes,
                                         unsigned* priority, const timespec* time) {
  if (!controlled())
    return real::mq_timedreceive(queue, message, bytes, priority, time);
  return receiveFrom(queue, message, bytes, priority, time);
}

HEDDLE_INTERPOSE ssize_t mq_receive(mqd_t queue, char* message, size_t bytes, unsigned* priority) {
  if (!controlled())
    return real::mq_receive(queue, message, bytes, priority);
  return receiveFrom(queue, message, bytes, priority, nullptr);
}

HEDDLE_INTERPOSE int mq_timedsend(mqd_t queue, const char* message, size_t bytes, unsigned priority,
                                  const timespec* time) {
  if (!controlled())
    return real::mq_timedsend(queue, message, bytes, priority, time);
  return sendTo(queue, message, bytes, priority, time);
}

HEDDLE_INTERPOSE int mq_send(mqd_t queue, const char* message, size_t bytes, unsigned priority) {
  if (!controlled())
    return real::mq_send(queue, message, bytes, priority);
  return sendTo(queue, message, bytes, priority, nullptr);
}
