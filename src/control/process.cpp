#include "control/process.h"

#include "control/inherited_descriptors.h"
#include "model/batch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

namespace heddle {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (const std::string& text : texts)
    result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

/// Copies `from` to number `to` without close-on-exec; a no-op for descriptors not given.
bool place(int from, int to) {
  if (from < 0)
    return true;
  if (from != to)
    return dup2(from, to) == to;
  return fcntl(to, F_SETFD, 0) == 0;
}

/// The steps of the child between fork and exec: system calls only, because the controller may
/// have other threads. Returns only on failure, with errno set.
void becomeProgram(const Program& program, const SpawnSetup& setup,
                   const std::vector<int>& descriptors, char* const* arguments,
                   char* const* environment, pid_t controller) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != controller)
    _exit(127);
  // Containers may refuse this; the runtime then places what matters itself.
  int persona = personality(0xffffffff);
  if (persona != -1)
    personality(static_cast<unsigned>(persona) | ADDR_NO_RANDOMIZE);
  rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  if (!place(setup.input, 0) || !place(setup.output, 1) || !place(setup.output, 2) ||
      !place(setup.batch, kProgramBatchFd) || !place(setup.temporary, kProgramTemporaryFd))
    return;
  passOnlyDescriptors(descriptors);
  if (chdir(program.directory.c_str()) != 0)
    return;
  execve(program.executable.c_str(), arguments, environment);
}

} // namespace

std::vector<std::string> spawnEnvironment(const Program& program) {
  std::vector<std::string> environment = program.environment;
  environment.push_back(std::string(kBatchFdVariable) + "=" + std::to_string(kProgramBatchFd));
  // By descriptor, so that the text is the same in every process.
  environment.push_back("TMPDIR=/proc/self/fd/" + std::to_string(kProgramTemporaryFd));
  return environment;
}

std::vector<int> passedDescriptors(const Program& program) {
  std::vector<int> passed = namedDescriptors(program.arguments);
  passed.insert(passed.end(), {kProgramBatchFd, kProgramTemporaryFd});
  std::sort(passed.begin(), passed.end());
  return passed;
}

Result<Process> Process::spawn(const Program& program, const SpawnSetup& setup) {
  std::vector<std::string> environment = spawnEnvironment(program);
  if (setup.batch < 0) // nobody would answer the runtime
    std::erase_if(environment,
                  [](const std::string& entry) { return entry.starts_with(kBatchFdVariable); });
  if (setup.bindNow)
    environment.push_back("LD_BIND_NOW=heddle"); // the runtime hides it from the program
  std::vector<int> descriptors = passedDescriptors(program);
  auto argumentPointers = pointers(program.arguments);
  auto environmentPointers = pointers(environment);
  int errorPipe[2];
  if (pipe2(errorPipe, O_CLOEXEC) != 0)
    return Error{std::string("cannot create a pipe: ") + strerror(errno), ErrorKind::Environment};
  FileDescriptor readEnd(errorPipe[0]), writeEnd(errorPipe[1]);
  pid_t controller = getpid();
  pid_t pid = fork();
  if (pid < 0)
    return Error{std::string("cannot start another process: ") + strerror(errno),
                 ErrorKind::Environment};
  if (pid == 0) {
    becomeProgram(program, setup, descriptors, argumentPointers.data(), environmentPointers.data(),
                  controller);
    int code = errno;
    (void)!write(errorPipe[1], &code, sizeof(code));
    _exit(127);
  }
  setpgid(pid, pid); // both sides: neither may depend on who is first
  writeEnd = FileDescriptor();
  int code = 0;
  ssize_t got;
  while ((got = read(readEnd.get(), &code, sizeof(code))) < 0 && errno == EINTR) {
  }
  if (got > 0) {
    waitpid(pid, nullptr, 0);
    return Error{"cannot start " + program.executable + ": " + strerror(code),
                 ErrorKind::Environment};
  }
  Process process;
  process.pid_ = pid;
  process.pidfd_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  return process;
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pidfd_(std::move(other.pidfd_)), status_(other.status_) {
}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(pidfd_, other.pidfd_);
  std::swap(status_, other.status_);
  return *this;
}

Process::~Process() { kill(); }

std::optional<int> Process::ended() {
  if (pid_ < 0 || status_)
    return status_;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_)
    status_ = status;
  return status_;
}

std::optional<int> Process::waitForEnd(int milliseconds) {
  if (ended() || pid_ < 0)
    return status_;
  pollfd ready{pidfd_.get(), POLLIN, 0};
  poll(&ready, 1, milliseconds);
  return ended();
}

void Process::kill() {
  if (pid_ < 0)
    return;
  // The group also holds what the program forked and left behind.
  ::kill(-pid_, SIGKILL);
  if (!status_) {
    ::kill(pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    status_ = status;
  }
  pid_ = -1;
}

uint64_t cpuNanos(pid_t pid) {
  clockid_t clock;
  timespec time;
  if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
    return 0;
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

std::string describeWaitStatus(int status) {
  if (WIFEXITED(status))
    return "exited with status " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status)) {
    int number = WTERMSIG(status);
    const char* name = sigabbrev_np(number);
    return "was killed by SIG" + std::string(name ? name : std::to_string(number).c_str()) + " (" +
           strsignal(number) + ")";
  }
  return "ended with wait status " + std::to_string(status);
}

} // namespace heddle
