#include "runtime/run/process_state.h"

#include "model/ids.h"
#include "runtime/base/raw_syscall.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

constexpr const char* kLines[] = {
    "Umask:",           "Uid:",          "Gid:",         "Groups:", "VmLck:",      "CapInh:",
    "CapPrm:",          "CapEff:",       "CapBnd:",      "CapAmb:", "NoNewPrivs:", "Seccomp:",
    "Seccomp_filters:", "Cpus_allowed:", "Mems_allowed:"};

bool isWanted(const char* line) {
  for (const char* name : kLines)
    if (strncmp(line, name, strlen(name)) == 0)
      return true;
  return false;
}

uint64_t hashText(uint64_t hash, const char* text, const char* end) {
  for (; text != end; ++text)
    hash = mix(hash, static_cast<uint64_t>(*text));
  return hash;
}

/// The file is short: one read gets all of it.
uint64_t hashStatus() {
  char text[4096];
  long fd = rawSyscall(SYS_open, asLong("/proc/self/status"), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  long got = rawSyscall(SYS_read, fd, asLong(text), sizeof text - 1);
  rawSyscall(SYS_close, fd);
  text[got < 0 ? 0 : got] = 0;
  uint64_t hash = 0;
  for (char* line = text; *line;) {
    char* end = strchr(line, '\n');
    end = end ? end : line + strlen(line);
    if (isWanted(line))
      hash = hashText(hash, line, end);
    line = *end ? end + 1 : end;
  }
  return hash;
}

uint64_t hashLimits(uint64_t hash) {
  for (int resource = 0; resource < RLIMIT_NLIMITS; ++resource) {
    rlimit limit{};
    rawSyscall(SYS_prlimit64, 0, resource, 0, asLong(&limit));
    hash = mix(mix(hash, limit.rlim_cur), limit.rlim_max);
  }
  return hash;
}

uint64_t hashDirectory(uint64_t hash) {
  char path[4096];
  long length = rawSyscall(SYS_getcwd, asLong(path), sizeof path);
  return length < 0 ? hash : hashText(hash, path, path + length);
}

} // namespace

uint64_t processStateHash() {
  constexpr long self = 0;
  uint64_t hash = hashDirectory(hashLimits(hashStatus()));
  hash = mix(hash, static_cast<uint64_t>(rawSyscall(SYS_getpriority, PRIO_PROCESS, self)));
  hash = mix(hash, static_cast<uint64_t>(rawSyscall(SYS_sched_getscheduler, self)));
  hash = mix(hash, static_cast<uint64_t>(rawSyscall(SYS_personality, 0xffffffff)));
  return mix(hash, static_cast<uint64_t>(rawSyscall(SYS_getsid, self)));
}

} // namespace heddle::rt
