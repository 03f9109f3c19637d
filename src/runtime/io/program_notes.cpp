#include "runtime/io/program_notes.h"

#include "runtime/base/message.h"
#include "runtime/base/persistent.h"
#include "runtime/base/raw_syscall.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

/// The path of an open descriptor; false when there is none, or it is too long to show.
bool pathOf(int fd, char (&path)[kNotePathBytes]) {
  const char* link = formatMessage("/proc/self/fd/%d", fd);
  long length = rawSyscall(SYS_readlinkat, AT_FDCWD, asLong(link), asLong(path), kNotePathBytes);
  if (length <= 0 || length >= static_cast<long>(kNotePathBytes))
    return false;
  path[length] = 0;
  return path[0] == '/';
}

bool writesToFile(int fd) {
  struct stat status;
  long flags = rawSyscall(SYS_fcntl, fd, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY &&
         rawSyscall(SYS_fstat, fd, asLong(&status)) == 0 && S_ISREG(status.st_mode);
}

bool startsWith(const char* text, const char* prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

/// Nothing that stays: memory with a name, and the folder that every run finds empty.
bool vanishes(const char* path) {
  char temporary[kNotePathBytes];
  return startsWith(path, "/memfd:") || startsWith(path, "/dev/") || startsWith(path, "/proc/") ||
         (pathOf(kTemporaryFd, temporary) && startsWith(path, temporary));
}

} // namespace

void noteOpened(int fd) {
  BatchHeader* batch = persistent().batch;
  if (!batch || batch->notes.fileCount == kNotedFiles || !writesToFile(fd))
    return;
  char path[kNotePathBytes];
  if (!pathOf(fd, path) || vanishes(path))
    return;
  for (uint32_t i = 0; i < batch->notes.fileCount; ++i)
    if (strcmp(batch->notes.files[i], path) == 0)
      return;
  strcpy(batch->notes.files[batch->notes.fileCount], path);
  batch->notes.fileCount = batch->notes.fileCount + 1;
}

void noteOwnName() {
  if (persistent().batch)
    persistent().batch->notes.ownName = 1;
}

void noteEndOfInput(int fd) {
  if (fd == 0 && persistent().batch)
    persistent().batch->notes.endOfInput = 1;
}

void noteStreams() {
  if (feof_unlocked(stdin))
    noteEndOfInput(0);
}

} // namespace heddle::rt
