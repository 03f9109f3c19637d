#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/base/restorable.h"
#include "runtime/core/scheduler.h"
#include "runtime/io/descriptor_table.h"
#include "runtime/io/program_notes.h"
#include "runtime/io/random_model.h"
#include "runtime/io/task_folder.h"
#include "runtime/io/thread_view.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Files that libc opens for the program. What libc then reads and writes through a FILE goes to
/// the kernel without passing here: such I/O is no scheduling point, and blocks the whole program.

using namespace heddle;
using namespace heddle::rt;

namespace {

bool onlyReads(const char* mode) { return mode[0] == 'r' && !strchr(mode, '+'); }

void noteWritten(FILE* file) {
  noteNotRestorable("fopen");
  noteOpened(fileno(file));
}

FILE* opened(FILE* file, const char* path, const char* mode) {
  if (!controlled() || !file)
    return file;
  if (!onlyReads(mode) && strcmp(path, "/dev/null") != 0)
    noteWritten(file);
  descriptorOpened(fileno(file), DescriptorKind::File);
  return file;
}

/// A stream on a random device reads from a copy of the deterministic stream; who reads from its
/// descriptor (std::ifstream does) gets the stream itself.
FILE* openRandom(const char* mode) {
  constexpr size_t kBytes = 1 << 16;
  char* buffer = static_cast<char*>(
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  int fd = memfd_create("random", MFD_CLOEXEC);
  if (buffer == MAP_FAILED || fd < 0)
    return nullptr;
  fillRandom(buffer, kBytes);
  rawSyscall(SYS_pwrite64, fd, asLong(buffer), kBytes, 0);
  munmap(buffer, kBytes);
  descriptorOpened(fd, DescriptorKind::RandomDevice);
  return real::fdopen(fd, mode);
}

using OpenFunction = FILE* (*)(const char*, const char*);

FILE* openFile(OpenFunction open, const char* path, const char* mode) {
  if (controlled() && isRandomDevice(path) && onlyReads(mode))
    return openRandom(mode);
  if (int fd = controlled() && onlyReads(mode) ? openStatusFile(path) : -1; fd >= 0)
    return opened(real::fdopen(fd, mode), path, mode);
  return opened(open(path, mode), path, mode);
}

FILE* reopened(FILE* file, const char* mode) {
  if (!controlled() || !file)
    return file;
  bool replaces = isInherited(fileno(file));
  if (replaces || !onlyReads(mode))
    noteNotRestorable("freopen");
  if (!replaces)
    descriptorOpened(fileno(file), DescriptorKind::File);
  return file;
}

int madeFile(int fd, const char* what) {
  if (controlled() && fd >= 0) {
    noteNotRestorable(what);
    noteOpened(fd);
    descriptorOpened(fd, DescriptorKind::File);
  }
  return fd;
}

FILE* madeStream(FILE* file) {
  if (controlled() && file)
    descriptorOpened(fileno(file), DescriptorKind::File); // unlinked: gone with its descriptor
  return file;
}

} // namespace

HEDDLE_INTERPOSE FILE* fopen(const char* path, const char* mode) {
  return openFile(real::fopen, path, mode);
}
HEDDLE_INTERPOSE FILE* fopen64(const char* path, const char* mode) {
  return openFile(real::fopen64, path, mode);
}
HEDDLE_INTERPOSE FILE* freopen(const char* path, const char* mode, FILE* file) {
  return reopened(real::freopen(path, mode, file), mode);
}
HEDDLE_INTERPOSE FILE* freopen64(const char* path, const char* mode, FILE* file) {
  return reopened(real::freopen64(path, mode, file), mode);
}
HEDDLE_INTERPOSE FILE* tmpfile() { return madeStream(real::tmpfile()); }
HEDDLE_INTERPOSE FILE* tmpfile64() { return madeStream(real::tmpfile64()); }

HEDDLE_INTERPOSE int fclose(FILE* file) {
  if (!controlled())
    return real::fclose(file);
  int fd = fileno(file);
  if (fd >= 0 && isInherited(fd))
    noteNotRestorable("fclose of a stream that was open before the run");
  if (fd >= 0)
    descriptorClosed(fd);
  int result = real::fclose(file);
  refreshIoWaits(); // a pipe's other end sees its end
  return result;
}

HEDDLE_INTERPOSE DIR* opendir(const char* path) {
  DIR* directory = real::opendir(path);
  if (!controlled() || !directory)
    return directory;
  if (isOwnTaskFolder(path))
    showThreadsIn(directory);
  else
    noteThreadView(path);
  descriptorOpened(dirfd(directory), DescriptorKind::File);
  return directory;
}

HEDDLE_INTERPOSE int closedir(DIR* directory) {
  if (controlled()) {
    descriptorClosed(dirfd(directory));
    forgetTaskFolder(directory);
  }
  return real::closedir(directory);
}

HEDDLE_INTERPOSE int mkstemp(char* name) { return madeFile(real::mkstemp(name), "mkstemp"); }
HEDDLE_INTERPOSE int mkstemp64(char* name) { return madeFile(real::mkstemp(name), "mkstemp"); }
HEDDLE_INTERPOSE int mkostemp(char* name, int flags) {
  return madeFile(real::mkostemp(name, flags), "mkostemp");
}
HEDDLE_INTERPOSE int mkostemp64(char* name, int flags) { return mkostemp(name, flags); }
HEDDLE_INTERPOSE int mkstemps(char* name, int suffix) {
  return madeFile(real::mkstemps(name, suffix), "mkstemps");
}
HEDDLE_INTERPOSE int mkostemps(char* name, int suffix, int flags) {
  return madeFile(real::mkostemps(name, suffix, flags), "mkostemps");
}

/// LLVM's OpenMP library notes in a file with its process's number that it is there. Runs that fail
/// or are killed do not remove it, and a later process with that number would begin in another way.
/// Nobody else reads it: it gets memory without a name.
static bool isOpenmpNote(const char* name) {
  constexpr const char* prefix = "/__KMP_REGISTERED_LIB_";
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

HEDDLE_INTERPOSE int shm_open(const char* name, int flags, mode_t mode) {
  if (controlled() && isOpenmpNote(name)) {
    if (flags & O_CREAT)
      return madeFile(memfd_create("openmp", MFD_CLOEXEC), "shm_open");
    errno = ENOENT;
    return -1;
  }
  return madeFile(real::shm_open(name, flags, mode), "shm_open");
}
