#include "control/doctor.h"

#include "control/file_descriptor.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace heddle {
namespace {

using State = DoctorCheck::State;

constexpr unsigned long kFsGsBase = 2; ///< HWCAP2_FSGSBASE

// Younger than the headers of the oldest system that heddle is built on.
constexpr uint64_t kUffdWpUnpopulated = 1ull << 13;
constexpr uint64_t kUffdWpAsync = 1ull << 15;
constexpr int kUffdUserModeOnly = 1;
constexpr int kSetSyscallUserDispatch = 59;

struct PageRegion {
  uint64_t start, end, categories;
};
struct PagemapScan {
  uint64_t size, flags, start, end, walkEnd, vector, vectorLength, maxPages, invert, mask, anyOf,
      returned;
};
constexpr unsigned long kPagemapScan = _IOWR('f', 16, PagemapScan);

std::string failure() { return strerror(errno); }

DoctorCheck machineCheck() {
  utsname name{};
  uname(&name);
  bool ok = strcmp(name.machine, "x86_64") == 0;
  return {"processor", ok ? State::Ok : State::Missing, name.machine,
          ok ? "" : "heddle controls x86-64 programs only"};
}

DoctorCheck kernelCheck() {
  utsname name{};
  uname(&name);
  int major = 0, minor = 0;
  sscanf(name.release, "%d.%d", &major, &minor);
  bool enough = major > 5 || (major == 5 && minor >= 11);
  bool fast = major > 6 || (major == 6 && minor >= 7);
  if (!enough)
    return {"kernel", State::Missing, name.release, "use Linux 5.11 or newer"};
  return {"kernel", fast ? State::Ok : State::Slower, name.release,
          fast ? "" : "Linux 6.7 or newer restores runs in place; here the fork server is used"};
}

DoctorCheck fsGsBaseCheck() {
  bool enabled = (getauxval(AT_HWCAP2) & kFsGsBase) != 0;
  return {"FSGSBASE", enabled ? State::Ok : State::Slower, enabled ? "enabled" : "not enabled",
          enabled ? "" : "thread switches use a system call; boot without nofsgsbase to change it"};
}

DoctorCheck memfdCheck() {
  FileDescriptor file(memfd_create("heddle-doctor", MFD_CLOEXEC));
  bool ok = file && ftruncate(file.get(), off_t{4} << 30) == 0;
  return {"memfd", ok ? State::Ok : State::Missing, ok ? "works" : failure(),
          ok ? ""
             : "heddle talks to programs through a memfd: allow memfd_create, and sparse "
               "files of 4 GB"};
}

DoctorCheck userfaultCheck() {
  FileDescriptor file(
      static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | kUffdUserModeOnly)));
  const char* advice = "runs are restored by the fork server instead of in place; allow the "
                       "userfaultfd system call, with Linux 6.7 or newer";
  if (!file)
    return {"userfaultfd", State::Slower, failure(), advice};
  uffdio_api api{};
  api.api = UFFD_API;
  api.features = kUffdWpAsync | kUffdWpUnpopulated;
  if (ioctl(file.get(), UFFDIO_API, &api) != 0)
    return {"userfaultfd", State::Slower, "no asynchronous write protection", advice};
  return {"userfaultfd", State::Ok, "asynchronous write protection", ""};
}

DoctorCheck pagemapCheck() {
  FileDescriptor file(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  PageRegion regions[4];
  PagemapScan scan{};
  scan.size = sizeof(scan);
  scan.start = reinterpret_cast<uint64_t>(&regions) & ~uint64_t{4095};
  scan.end = scan.start + 4096;
  scan.vector = reinterpret_cast<uint64_t>(regions);
  scan.vectorLength = 4;
  scan.anyOf = scan.returned = 1ull << 3; // pages that are present
  bool ok = file && ioctl(file.get(), kPagemapScan, &scan) >= 0;
  return {"PAGEMAP_SCAN", ok ? State::Ok : State::Slower, ok ? "works" : failure(),
          ok ? ""
             : "runs are restored by the fork server instead of in place; use Linux 6.7 or "
               "newer"};
}

/// Runs `attempt` in a child, because what it changes cannot be changed back.
template <typename Attempt> bool worksInChild(const Attempt& attempt) {
  pid_t pid = fork();
  if (pid == 0)
    _exit(attempt() ? 0 : 1);
  int status = 1;
  return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

DoctorCheck addressCheck() {
  bool ok = worksInChild([] {
    int persona = personality(0xffffffff);
    return persona != -1 && personality(static_cast<unsigned>(persona) | ADDR_NO_RANDOMIZE) != -1;
  });
  return {"fixed addresses", ok ? State::Ok : State::Slower, ok ? "allowed" : "refused",
          ok ? ""
             : "addresses of libraries differ between processes; programs whose order depends "
               "on pointers may not replay: allow personality(ADDR_NO_RANDOMIZE)"};
}

DoctorCheck dispatchCheck() {
  bool ok = worksInChild([] {
    static char selector = 0;
    return prctl(kSetSyscallUserDispatch, 1, 0, ~0ul >> 1, &selector) == 0;
  });
  return {"system call dispatch", ok ? State::Ok : State::Slower, ok ? "works" : "refused",
          ok ? "" : "locks inside libraries are not seen: use Linux 5.11 or newer"};
}

std::string firstLineOf(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe)
    return {};
  char line[256] = "";
  char* got = fgets(line, sizeof(line), pipe);
  int status = pclose(pipe);
  if (!got || status != 0)
    return {};
  std::string text = line;
  return text.substr(0, text.find('\n'));
}

DoctorCheck compilerCheck() {
  std::string version = firstLineOf("clang++-19 --version 2>/dev/null");
  bool ok = !version.empty();
  return {"clang++-19", ok ? State::Ok : State::Missing, ok ? version : "not found",
          ok ? "" : "apt-get install clang-19: heddle-c++ compiles with it"};
}

DoctorCheck debuggerCheck() {
  std::string version = firstLineOf("gdb --version 2>/dev/null");
  bool ok = !version.empty();
  return {"gdb", ok ? State::Ok : State::Slower, ok ? version : "not found",
          ok ? "" : "apt-get install gdb: for `heddle replay ID -- gdb`"};
}

DoctorCheck storeCheck(const std::string& directory) {
  std::error_code failed;
  std::filesystem::path path = directory;
  bool existed = std::filesystem::exists(path, failed);
  std::filesystem::path parent = existed ? path : std::filesystem::absolute(path).parent_path();
  std::string pattern = (parent / ".heddle-doctor-XXXXXX").string();
  FileDescriptor file(mkstemp(pattern.data()));
  bool ok = file && write(file.get(), "x", 1) == 1;
  std::string found = ok ? directory + (existed ? "" : " (will be created)") : failure();
  if (file)
    unlink(pattern.c_str());
  return {"store", ok ? State::Ok : State::Missing, found,
          ok ? "" : "findings cannot be kept in " + directory + ": choose another with --store"};
}

} // namespace

const char* doctorStateName(State state) {
  switch (state) {
  case State::Ok:
    return "ok";
  case State::Slower:
    return "limited";
  case State::Missing:
    return "missing";
  }
  return "missing";
}

std::vector<DoctorCheck> examineMachine(const std::string& storeDirectory) {
  return {machineCheck(),
          kernelCheck(),
          fsGsBaseCheck(),
          memfdCheck(),
          userfaultCheck(),
          pagemapCheck(),
          addressCheck(),
          dispatchCheck(),
          compilerCheck(),
          debuggerCheck(),
          storeCheck(storeDirectory)};
}

} // namespace heddle
