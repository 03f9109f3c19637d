#include "runtime/io/file_model.h"

#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/base/restorable.h"
#include "runtime/io/file_locks_and_queues.h"
#include "runtime/io/io_model.h"
#include "runtime/io/mapping_model.h"
#include "runtime/io/program_notes.h"
#include "runtime/io/random_model.h"
#include "runtime/io/signalfd_model.h"
#include "runtime/io/thread_view.h"
#include "runtime/io/timerfd_model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

extern "C" [[noreturn]] void __chk_fail();

namespace heddle::rt {

void keepKernelState() { keepDescriptors(); }

void undoKernelState() {
  closeRunDescriptors();
  unmapRunMappings();
}

} // namespace heddle::rt

using namespace heddle;
using namespace heddle::rt;

namespace {

struct OpenAttempt {
  int directory;
  const char* path;
  int flags;
  mode_t mode;
  long result;
};

long openOnce(const OpenAttempt& a, int extraFlags) {
  return rawSyscall(SYS_openat, a.directory, asLong(a.path), a.flags | extraFlags, a.mode);
}

mode_t typeOf(const OpenAttempt& a) {
  struct stat status;
  if (rawSyscall(SYS_newfstatat, a.directory, asLong(a.path), asLong(&status), 0) != 0)
    return 0;
  return status.st_mode & S_IFMT;
}

/// The writing end of a FIFO without a reader: ENXIO instead of blocking.
bool retryOpen(void* context) {
  auto& a = *static_cast<OpenAttempt*>(context);
  a.result = openOnce(a, O_NONBLOCK);
  return a.result != -ENXIO;
}

/// Opening a FIFO blocks until the other end is open. The reading end is opened at once, because
/// the writer needs it; it then waits for the writer as its first read would. What is lost is only
/// that a reader which never reads does not wait.
long openFifo(OpenAttempt& a) {
  a.result = openOnce(a, O_NONBLOCK);
  while (a.result == -ENXIO) {
    IoWait wait;
    wait.attempt = retryOpen;
    wait.context = &a;
    wait.reach = Reach::Outside;
    if (waitForIo(wait, kNoDeadline) == IoOutcome::Interrupted)
      return -EINTR;
  }
  if (a.result >= 0)
    rawSyscall(SYS_fcntl, a.result, F_SETFL, a.flags & ~(O_CREAT | O_EXCL | O_TRUNC));
  return a.result;
}

DescriptorKind kindOfType(mode_t type) {
  if (type == S_IFIFO)
    return DescriptorKind::Unknown; // anybody can open it
  return type == S_IFREG || type == S_IFDIR || type == S_IFBLK ? DescriptorKind::File
                                                               : DescriptorKind::Unknown;
}

bool changesFiles(const OpenAttempt& a, mode_t type) {
  if (type == S_IFCHR)
    return false; // terminals, /dev/null
  return (a.flags & O_ACCMODE) != O_RDONLY || (a.flags & (O_CREAT | O_TRUNC)) != 0 ||
         type == S_IFIFO;
}

long modelOpen(OpenAttempt a) {
  point(EventKind::Io, nullptr);
  mode_t type = typeOf(a);
  if (changesFiles(a, type))
    noteNotRestorable("open");
  bool waits =
      type == S_IFIFO && !(a.flags & (O_NONBLOCK | O_PATH)) && (a.flags & O_ACCMODE) != O_RDWR;
  noteThreadView(a.path);
  long fd = openStatusFile(a.path);
  if (fd < 0)
    fd = waits ? openFifo(a) : openOnce(a, 0);
  if (fd < 0)
    return fd;
  bool random = a.path[0] == '/' && isRandomDevice(a.path);
  if (type == 0)
    type = S_IFREG; // just made
  if (changesFiles(a, type))
    noteOpened(static_cast<int>(fd));
  descriptorOpened(static_cast<int>(fd), random ? DescriptorKind::RandomDevice : kindOfType(type));
  return fd;
}

int openAt(int directory, const char* path, int flags, mode_t mode) {
  if (!controlled())
    return static_cast<int>(
        withErrno(rawSyscall(SYS_openat, directory, asLong(path), flags, mode)));
  return static_cast<int>(endIo(modelOpen({directory, path, flags, mode, 0})));
}

bool needsMode(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

int opened(long fd, DescriptorKind kind) {
  if (controlled() && fd >= 0)
    descriptorOpened(static_cast<int>(fd), kind);
  return static_cast<int>(withErrno(fd));
}

long modelClose(int fd) {
  point(EventKind::Io, descriptorObject(fd));
  if (isInherited(fd))
    noteNotRestorable("close of a descriptor that was open before the run");
  DescriptorKind kind = descriptorKind(fd);
  if (kind == DescriptorKind::Event)
    timerDescriptorClosed(fd);
  if (kind == DescriptorKind::Signals)
    signalDescriptorClosed(fd);
  descriptorClosed(fd);
  return rawSyscall(SYS_close, fd);
}

int duplicated(int fd, long copy, bool replaces) {
  if (controlled() && copy >= 0 && copy != fd) {
    if (replaces && isInherited(static_cast<int>(copy)))
      noteNotRestorable("dup2 over a descriptor that was open before the run");
    descriptorCopied(fd, static_cast<int>(copy));
  }
  return static_cast<int>(withErrno(copy));
}

bool needsTwoArguments(int command) {
  return command == F_GETFD || command == F_GETFL || command == F_GETOWN ||
         command == F_GETPIPE_SZ || command == F_GETSIG || command == F_GETLEASE ||
         command == F_GET_SEALS;
}

long modelFcntl(int fd, int command, long argument) {
  if (isLockCommand(command))
    return lockFile(fd, command, argument);
  if (isInherited(fd) && !needsTwoArguments(command) && command != F_GETLK)
    noteNotRestorable("fcntl of a descriptor that was open before the run");
  long result = rawSyscall(SYS_fcntl, fd, command, argument);
  if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC))
    descriptorCopied(fd, static_cast<int>(result));
  return result;
}

int changeFile(int fd, const char* what, long result) {
  if (controlled() && isInherited(fd))
    noteNotRestorable(what);
  return static_cast<int>(withErrno(result));
}

} // namespace

HEDDLE_INTERPOSE int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = needsMode(flags) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return openAt(AT_FDCWD, path, flags, mode);
}

HEDDLE_INTERPOSE int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = needsMode(flags) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return openAt(AT_FDCWD, path, flags, mode);
}

HEDDLE_INTERPOSE int openat(int directory, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = needsMode(flags) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return openAt(directory, path, flags, mode);
}

HEDDLE_INTERPOSE int openat64(int directory, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = needsMode(flags) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return openAt(directory, path, flags, mode);
}

HEDDLE_INTERPOSE int __open_2(const char* path, int flags) {
  return openAt(AT_FDCWD, path, flags, 0);
}
HEDDLE_INTERPOSE int __open64_2(const char* path, int flags) {
  return openAt(AT_FDCWD, path, flags, 0);
}
HEDDLE_INTERPOSE int __openat_2(int directory, const char* path, int flags) {
  return openAt(directory, path, flags, 0);
}
HEDDLE_INTERPOSE int __openat64_2(int directory, const char* path, int flags) {
  return openAt(directory, path, flags, 0);
}

HEDDLE_INTERPOSE int creat(const char* path, mode_t mode) {
  return openAt(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

HEDDLE_INTERPOSE int creat64(const char* path, mode_t mode) { return creat(path, mode); }

HEDDLE_INTERPOSE int close(int fd) {
  if (!controlled())
    return static_cast<int>(withErrno(rawSyscall(SYS_close, fd)));
  return static_cast<int>(endIo(modelClose(fd)));
}

HEDDLE_INTERPOSE int pipe2(int* ends, int flags) {
  long result = rawSyscall(SYS_pipe2, asLong(ends), flags);
  if (controlled() && result == 0) {
    descriptorOpened(ends[0], DescriptorKind::Pipe);
    descriptorOpened(ends[1], DescriptorKind::Pipe);
  }
  return static_cast<int>(withErrno(result));
}

HEDDLE_INTERPOSE int pipe(int* ends) { return pipe2(ends, 0); }

HEDDLE_INTERPOSE int eventfd(unsigned value, int flags) {
  return opened(rawSyscall(SYS_eventfd2, value, flags), DescriptorKind::Event);
}

HEDDLE_INTERPOSE int memfd_create(const char* name, unsigned flags) {
  return opened(rawSyscall(SYS_memfd_create, asLong(name), flags), DescriptorKind::File);
}

HEDDLE_INTERPOSE int inotify_init1(int flags) {
  return opened(rawSyscall(SYS_inotify_init1, flags), DescriptorKind::Unknown);
}

HEDDLE_INTERPOSE int inotify_init() { return inotify_init1(0); }

HEDDLE_INTERPOSE int dup(int fd) { return duplicated(fd, rawSyscall(SYS_dup, fd), false); }

HEDDLE_INTERPOSE int dup2(int fd, int copy) {
  return duplicated(fd, rawSyscall(SYS_dup2, fd, copy), true);
}

HEDDLE_INTERPOSE int dup3(int fd, int copy, int flags) {
  return duplicated(fd, rawSyscall(SYS_dup3, fd, copy, flags), true);
}

HEDDLE_INTERPOSE int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  long argument = va_arg(list, long);
  va_end(list);
  if (!controlled())
    return static_cast<int>(withErrno(rawSyscall(SYS_fcntl, fd, command, argument)));
  return static_cast<int>(withErrno(modelFcntl(fd, command, argument)));
}

HEDDLE_INTERPOSE int fcntl64(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  long argument = va_arg(list, long);
  va_end(list);
  return fcntl(fd, command, argument);
}

HEDDLE_INTERPOSE int ftruncate(int fd, off_t length) {
  return changeFile(fd, "ftruncate", rawSyscall(SYS_ftruncate, fd, length));
}
HEDDLE_INTERPOSE int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

HEDDLE_INTERPOSE int fallocate(int fd, int mode, off_t offset, off_t length) {
  return changeFile(fd, "fallocate", rawSyscall(SYS_fallocate, fd, mode, offset, length));
}
HEDDLE_INTERPOSE int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
  return fallocate(fd, mode, offset, length);
}

HEDDLE_INTERPOSE off_t lseek(int fd, off_t offset, int whence) {
  if (controlled() && isInherited(fd) && fd > 2)
    noteNotRestorable("lseek of a descriptor that was open before the run");
  return withErrno(rawSyscall(SYS_lseek, fd, offset, whence));
}
HEDDLE_INTERPOSE off64_t lseek64(int fd, off64_t offset, int whence) {
  return lseek(fd, offset, whence);
}
