#include "runtime/io/thread_view.h"

#include "runtime/base/raw_syscall.h"
#include "runtime/core/scheduler_state.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

bool sawFolder = false;
bool sawTask = false;

/// What follows /proc/self/ or the like in the path, or null.
const char* ownEntry(const char* path) {
  constexpr const char* kOwn[] = {"/proc/self/", "/proc/thread-self/"};
  for (const char* own : kOwn)
    if (strncmp(path, own, strlen(own)) == 0)
      return path + strlen(own);
  constexpr size_t kProc = 6;
  if (strncmp(path, "/proc/", kProc) != 0)
    return nullptr;
  long pid = 0;
  const char* at = path + kProc;
  for (; *at >= '0' && *at <= '9'; ++at)
    pid = pid * 10 + (*at - '0');
  return *at == '/' && pid == rawSyscall(SYS_getpid) ? at + 1 : nullptr;
}

void writeText(long fd, const char* text, size_t bytes) {
  rawSyscall(SYS_write, fd, asLong(text), static_cast<long>(bytes));
}

void writeNumber(long fd, uint32_t number) {
  char digits[16];
  char* at = digits + sizeof digits;
  do {
    *--at = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  writeText(fd, at, static_cast<size_t>(digits + sizeof digits - at));
}

/// With the number of threads that the program has.
void copyStatus(long to, const char* text) {
  constexpr const char* kThreads = "\nThreads:\t";
  const char* line = strstr(text, kThreads);
  if (!line)
    return writeText(to, text, strlen(text));
  const char* number = line + strlen(kThreads);
  writeText(to, text, static_cast<size_t>(number - text));
  writeNumber(to, scheduler.alive);
  const char* rest = strchr(number, '\n');
  writeText(to, rest, strlen(rest));
}

bool readStatus(char (&text)[4096]) {
  long fd = rawSyscall(SYS_open, asLong("/proc/self/status"), O_RDONLY | O_CLOEXEC);
  long got = fd < 0 ? fd : rawSyscall(SYS_read, fd, asLong(text), sizeof text - 1);
  if (fd >= 0)
    rawSyscall(SYS_close, fd);
  text[got < 0 ? 0 : got] = 0;
  return got > 0;
}

} // namespace

bool isOwnTaskFolder(const char* path) {
  const char* entry = ownEntry(path);
  return entry && (strcmp(entry, "task") == 0 || strcmp(entry, "task/") == 0);
}

void noteThreadView(const char* path) {
  const char* entry = ownEntry(path);
  bool isFolder = isOwnTaskFolder(path);
  sawFolder |= isFolder;
  sawTask |= entry && !isFolder && strncmp(entry, "task/", strlen("task/")) == 0;
}

void forgetTaskView() { sawFolder = false; }

int openStatusFile(const char* path) {
  const char* entry = ownEntry(path);
  char text[4096];
  if (!entry || strcmp(entry, "status") != 0 || !readStatus(text))
    return -1;
  long fd = rawSyscall(SYS_memfd_create, asLong("status"), MFD_CLOEXEC);
  if (fd < 0)
    return -1;
  copyStatus(fd, text);
  rawSyscall(SYS_lseek, fd, 0, SEEK_SET);
  return static_cast<int>(fd);
}

const char* misleadingView() {
  return sawFolder || sawTask
             ? "what /proc/self/task has of its threads, which is about one of them under heddle"
             : nullptr;
}

} // namespace heddle::rt
