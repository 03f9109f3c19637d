#include "runtime/io/task_folder.h"

#include "runtime/base/arena.h"
#include "runtime/base/message.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/core/thread_id.h"
#include "runtime/io/thread_view.h"

#include <string.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

/// A list of threads that is open.
struct TaskFolder {
  DIR* directory;
  uint32_t next;    ///< 0 and 1: the folder itself and the one above it, then the threads
  dirent64 current; ///< what was read last
};
static_assert(sizeof(dirent) == sizeof(dirent64));

constexpr uint32_t kMaxFolders = 8;
TaskFolder folders[kMaxFolders];

TaskFolder* folderOf(const DIR* directory) {
  for (TaskFolder& folder : folders)
    if (folder.directory == directory)
      return &folder;
  return nullptr;
}

dirent64* show(TaskFolder& folder, const char* name, uint64_t number) {
  dirent64& entry = folder.current;
  entry.d_ino = number + 1; // 0 would be no entry
  entry.d_off = folder.next;
  entry.d_reclen = sizeof entry;
  entry.d_type = DT_DIR;
  strncpy(entry.d_name, name, sizeof entry.d_name - 1);
  return &entry;
}

dirent64* nextEntry(TaskFolder& folder) {
  constexpr uint32_t kDots = 2;
  uint32_t at = folder.next++;
  if (at < kDots)
    return show(folder, at == 0 ? "." : "..", at);
  for (; at - kDots < scheduler.threads; at = folder.next++) {
    const Fiber* fiber = scheduler.fibers[at - kDots];
    if (!fiber->finished)
      return show(folder, formatMessage("%d", threadIdOf(fiber)), at);
  }
  --folder.next;
  return nullptr;
}

} // namespace

void showThreadsIn(DIR* directory) {
  if (TaskFolder* place = folderOf(nullptr))
    *place = {directory, 0, {}};
}

void forgetTaskFolder(DIR* directory) {
  if (TaskFolder* folder = folderOf(directory))
    folder->directory = nullptr;
}

} // namespace heddle::rt

using namespace heddle::rt;

/// How the C++ library opens folders.
HEDDLE_INTERPOSE DIR* fdopendir(int fd) {
  DIR* directory = real::fdopendir(fd);
  if (!controlled() || !directory)
    return directory;
  char path[64];
  const char* link = formatMessage("/proc/self/fd/%d", fd);
  long length = rawSyscall(SYS_readlink, asLong(link), asLong(path), sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  if (isOwnTaskFolder(path)) {
    forgetTaskView();
    showThreadsIn(directory);
  }
  return directory;
}

HEDDLE_INTERPOSE dirent64* readdir64(DIR* directory) {
  TaskFolder* folder = controlled() ? folderOf(directory) : nullptr;
  return folder ? nextEntry(*folder) : real::readdir64(directory);
}

/// The same structure on x86-64.
HEDDLE_INTERPOSE dirent* readdir(DIR* directory) {
  return reinterpret_cast<dirent*>(readdir64(directory));
}

HEDDLE_INTERPOSE void rewinddir(DIR* directory) {
  if (TaskFolder* folder = controlled() ? folderOf(directory) : nullptr)
    folder->next = 0;
  real::rewinddir(directory);
}
