#pragma once

#include "control/file_descriptor.h"
#include "control/program.h"
#include "model/batch.h"
#include "model/result.h"

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// Descriptor numbers that the program sees. Fixed, so that its own descriptors and its
/// environment are the same in every process.
inline constexpr int kProgramBatchFd = 198;
inline constexpr int kProgramTemporaryFd = kTemporaryFd;

/// The descriptors that a process of the program gets beyond the standard ones, sorted.
std::vector<int> passedDescriptors(const Program& program);

/// What a new process gets besides the program's own arguments and environment.
struct SpawnSetup {
  int batch = -1;       ///< the shared memory; -1: the program runs without control
  int input = -1;       ///< standard input
  int output = -1;      ///< standard output and error; -1: the controller's own
  int temporary = -1;   ///< directory that becomes TMPDIR
  bool bindNow = false; ///< symbols are found at the start: many runs follow in the process
};

/// A started program. Kills it, with everything it started, when destroyed.
/// The thread that spawns must outlive the process: the kernel kills it when that thread ends, so
/// that a killed controller leaves nothing behind.
class Process {
public:
  static Result<Process> spawn(const Program& program, const SpawnSetup& setup);
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();

  pid_t pid() const { return pid_; }
  /// The wait status once it has ended, without waiting.
  std::optional<int> ended();
  /// The same, waits up to `milliseconds`.
  std::optional<int> waitForEnd(int milliseconds);
  /// Kills the whole group and reaps it.
  void kill();

private:
  Process() = default;

  pid_t pid_ = -1;
  FileDescriptor pidfd_;
  std::optional<int> status_;
};

/// CPU time that a process has used, in nanoseconds; 0 when it is gone.
uint64_t cpuNanos(pid_t pid);

/// "exited with status 3", "was killed by SIGKILL (Killed)".
std::string describeWaitStatus(int status);

/// The environment that the program gets: its own plus what the runtime looks for.
std::vector<std::string> spawnEnvironment(const Program& program);

} // namespace heddle
