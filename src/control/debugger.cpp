#include "control/debugger.h"

#include "control/inherited_descriptors.h"
#include "control/process.h"
#include "control/scratch.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

namespace heddle {
namespace {

/// gdb would start the program through a shell and tell it the size of the terminal; both would
/// change the environment of the recorded run. System calls that the runtime takes over arrive as
/// SIGSYS, which is no reason to stop, and neither is the signal of its timer.
constexpr const char* kGdbSettings[] = {
    "set startup-with-shell off", "unset environment LINES",
    "unset environment COLUMNS",  "handle SIGSYS nostop noprint pass",
    "set breakpoint pending on",  "handle SIG32 nostop noprint pass",
    "set print thread-events off"};
/// A failure is a reason to stop: the runtime would end the run there. The script has its own way.
constexpr const char* kStopAtFailures = "break __heddle_failure";

/// The commands that show the other fibers; empty where the file is not beside this heddle.
std::string gdbScript() {
  std::error_code error;
  auto root = std::filesystem::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  auto script = root / "lib" / "heddle" / "heddle-gdb.py";
  return std::filesystem::exists(script, error) ? script.string() : std::string();
}

bool isGdb(const std::string& word) {
  return std::filesystem::path(word).filename().string().starts_with("gdb");
}

/// A person's Ctrl-C is for the debugger.
class IgnoreInterrupts {
public:
  IgnoreInterrupts() : previous_(signal(SIGINT, SIG_IGN)) {}
  ~IgnoreInterrupts() { signal(SIGINT, previous_); }
  IgnoreInterrupts(const IgnoreInterrupts&) = delete;
  IgnoreInterrupts& operator=(const IgnoreInterrupts&) = delete;

private:
  sighandler_t previous_;
};

[[noreturn]] void becomeTool(const Program& program, std::vector<std::string>& words,
                             std::vector<std::string>& environment, int batch, int temporary) {
  signal(SIGINT, SIG_DFL);
  dup2(batch, kProgramBatchFd);
  dup2(temporary, kProgramTemporaryFd);
  passOnlyDescriptors(passedDescriptors(program));
  std::vector<char*> arguments, variables;
  for (std::string& word : words)
    arguments.push_back(word.data());
  for (std::string& variable : environment)
    variables.push_back(variable.data());
  arguments.push_back(nullptr);
  variables.push_back(nullptr);
  if (chdir(program.directory.c_str()) == 0)
    execvpe(arguments[0], arguments.data(), variables.data());
  dprintf(STDERR_FILENO, "heddle: cannot start %s: %s\n", arguments[0], strerror(errno));
  _exit(127);
}

} // namespace

std::vector<std::string> toolCommand(const Program& program, const std::vector<std::string>& tool) {
  std::vector<std::string> words = {tool.at(0)};
  if (isGdb(tool[0])) {
    for (const char* setting : kGdbSettings)
      words.insert(words.end(), {"-ex", setting});
    std::string script = gdbScript();
    words.insert(words.end(), {"-ex", script.empty() ? kStopAtFailures : "source " + script});
    words.insert(words.end(), tool.begin() + 1, tool.end());
    words.push_back("--args");
  } else {
    words.insert(words.end(), tool.begin() + 1, tool.end());
  }
  words.push_back(program.executable);
  words.insert(words.end(), program.arguments.begin() + 1, program.arguments.end());
  return words;
}

Result<int> runUnderTool(const Program& program, PlanRequest request,
                         const std::vector<std::string>& tool) {
  if (tool.empty())
    return Error{"nothing stands after '--': give a tool, for example -- gdb", ErrorKind::Usage};
  auto memory = BatchMemory::create();
  if (!memory)
    return memory.error();
  auto scratch = Scratch::create(program.input, program.hasInput);
  if (!scratch)
    return scratch.error();
  request.plan.isolation = Isolation::Exec;
  request.plan.flags |= kPlanStacks; // they name what a thread waits for
  memory->resetForProcess();
  if (Status status = memory->writePlan(request); !status)
    return status.error();
  memory->setPhase(Phase::PlanReady);
  std::vector<std::string> words = toolCommand(program, tool);
  std::vector<std::string> environment = spawnEnvironment(program);
  IgnoreInterrupts ignore;
  pid_t pid = fork();
  if (pid < 0)
    return Error{std::string("cannot start another process: ") + strerror(errno),
                 ErrorKind::Environment};
  if (pid == 0)
    becomeTool(program, words, environment, memory->descriptor(), scratch->temporary());
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace heddle
