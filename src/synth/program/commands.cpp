#include "synth/program/commands.h"

#include "control/file_descriptor.h"
#include "control/interrupt.h"
#include "control/process.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace heddle::synth {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kMaxOutput = 1 << 20;
constexpr auto kPause = std::chrono::milliseconds(2);

std::vector<std::string> environmentOf(const CommandLine& command) {
  std::vector<std::string> all;
  auto isReplaced = [&](const std::string& one) {
    return std::ranges::any_of(command.environment, [&](const std::string& added) {
      return one.starts_with(added.substr(0, added.find('=') + 1));
    });
  };
  for (char** one = environ; *one; ++one)
    if (!isReplaced(*one))
      all.emplace_back(*one);
  all.insert(all.end(), command.environment.begin(), command.environment.end());
  return all;
}

std::vector<char*> pointersTo(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words)
    pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// A command that runs.
class Running {
public:
  Running(const CommandLine& command, double seconds)
      : output_(memfd_create("heddle-output", MFD_CLOEXEC)),
        end_(Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000))) {
    start(command);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { kill(); }

  /// How it ended, once it has.
  std::optional<CommandEnd> ended() {
    if (pid_ < 0)
      return result_;
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      ::kill(-pid_, SIGKILL); // what it has left behind
      pid_ = -1;
      result_.status = status;
      result_.output = readOutput();
      return result_;
    }
    if (Clock::now() < end_ && !interrupted())
      return std::nullopt;
    kill();
    result_.timedOut = true;
    result_.output = readOutput();
    return result_;
  }

private:
  void start(const CommandLine& command) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output_.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output_.get(), STDERR_FILENO);
    if (!command.directory.empty())
      posix_spawn_file_actions_addchdir_np(&actions, command.directory.c_str());
    std::vector<std::string> environment = environmentOf(command);
    int error = posix_spawnp(&pid_, command.words[0].c_str(), &actions, &attributes,
                             pointersTo(command.words).data(), pointersTo(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error == 0)
      return;
    pid_ = -1;
    result_.status = 127 << 8;
    result_.output = command.words[0] + " cannot be started: " + strerror(error);
  }

  void kill() {
    if (pid_ < 0)
      return;
    ::kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

  std::string readOutput() const {
    struct stat facts = {};
    fstat(output_.get(), &facts);
    auto size = static_cast<size_t>(facts.st_size);
    std::string text(std::min(size, kMaxOutput), '\0');
    ssize_t count =
        pread(output_.get(), text.data(), text.size(), static_cast<off_t>(size - text.size()));
    text.resize(count > 0 ? static_cast<size_t>(count) : 0);
    return text;
  }

  FileDescriptor output_;
  Clock::time_point end_;
  pid_t pid_ = -1;
  CommandEnd result_;
};

} // namespace

std::string CommandEnd::text() const {
  return timedOut ? "did not end in the time that it had" : describeWaitStatus(status);
}

CommandEnd runCommand(const CommandLine& command, double seconds) {
  return runCommands({command}, 1, seconds).front();
}

std::vector<CommandEnd> runCommands(const std::vector<CommandLine>& commands, size_t atOnce,
                                    double seconds, const std::function<void(size_t)>& ended) {
  std::vector<CommandEnd> ends(commands.size());
  std::vector<std::pair<size_t, std::unique_ptr<Running>>> running;
  size_t next = 0;
  size_t done = 0;
  while (done < commands.size()) {
    while (running.size() < std::max<size_t>(atOnce, 1) && next < commands.size()) {
      running.emplace_back(next, std::make_unique<Running>(commands[next], seconds));
      ++next;
    }
    for (auto& [index, one] : running)
      if (std::optional<CommandEnd> end = one->ended()) {
        ends[index] = std::move(*end);
        one.reset();
        ++done;
        if (ended)
          ended(done);
      }
    std::erase_if(running, [](const auto& entry) { return !entry.second; });
    if (done < commands.size())
      std::this_thread::sleep_for(kPause);
  }
  return ends;
}

} // namespace heddle::synth
