#include "control/program.h"

#include "control/elf_file.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

extern char** environ;

namespace heddle {
namespace {

/// Variables that say something about the terminal session and not about the program: they would
/// make two runs of the same command differ.
constexpr std::string_view kVolatile[] = {
    "_",           "OLDPWD",       "SHLVL",          "COLUMNS",         "LINES",
    "WINDOWID",    "SSH_CLIENT",   "SSH_CONNECTION", "SSH_TTY",         "SSH_AUTH_SOCK",
    "XDG_SESSION", "TERM_SESSION", "DBUS_SESSION",   "GPG_TTY",         "TMUX",
    "TMUX_PANE",   "STY",          "HEDDLE_OPTIONS", "HEDDLE_BATCH_FD", "TMPDIR",
};

/// What the controller always sets. libgomp would spin in user space before it blocks.
constexpr std::string_view kFixed[] = {"GOMP_SPINCOUNT=0"};

std::string_view nameOf(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

bool isVolatile(std::string_view name) {
  return std::find(std::begin(kVolatile), std::end(kVolatile), name) != std::end(kVolatile);
}

void drop(std::vector<std::string>& environment, std::string_view name) {
  std::erase_if(environment, [&](const std::string& entry) { return nameOf(entry) == name; });
}

bool isExecutableFile(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

Error notLinked(const std::string& path, const ElfFacts& facts) {
  if (facts.object)
    return Error{path + " is an object file, not a program: link it with heddle-c++ (or heddle-cc)",
                 ErrorKind::Usage};
  return Error{path + " is a shared library; heddle expects a program: name one that uses it",
               ErrorKind::Usage};
}

/// Why a file that may not be executed is no program, which need not be a missing permission.
Error notExecutable(const std::string& path) {
  auto facts = readElf(path);
  if (facts && facts->executable)
    return Error{path + " is not executable: chmod +x it, or build it with heddle-c++",
                 ErrorKind::Usage};
  if (facts)
    return notLinked(path, *facts);
  return facts.error();
}

bool isFile(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

Result<std::string> searchPath(const std::string& name) {
  const char* path = getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    size_t colon = std::min(rest.find(':'), rest.size());
    std::string candidate = std::string(rest.substr(0, colon)) + "/" + name;
    if (colon != 0 && isExecutableFile(candidate))
      return candidate;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  if (isExecutableFile(name))
    return Error{"there is no program '" + name + "' on the PATH; did you mean ./" + name + "?",
                 ErrorKind::Usage};
  if (isFile(name))
    return notExecutable(name);
  return Error{"there is no program '" + name + "' on the PATH or here", ErrorKind::Usage};
}

Result<std::string> findExecutable(const std::string& name) {
  if (name.find('/') == std::string::npos)
    return searchPath(name);
  struct stat facts;
  if (stat(name.c_str(), &facts) != 0)
    return Error{"cannot start " + name + ": " + strerror(errno), ErrorKind::Environment};
  if (S_ISDIR(facts.st_mode))
    return Error{name + " is a directory; heddle expects a program", ErrorKind::Usage};
  if (access(name.c_str(), X_OK) != 0)
    return notExecutable(name);
  return name;
}

Status checkControllable(const std::string& path, const ElfFacts& facts) {
  if (!facts.executable)
    return notLinked(path, facts);
  if (facts.threadSanitizer)
    return Error{path + " is built with -fsanitize=thread, whose own thread control excludes "
                        "heddle's: build it without",
                 ErrorKind::Usage};
  if (!facts.instrumented)
    return Error{path + " is not instrumented: compile it with heddle-c++ (or heddle-cc), for "
                        "example CXX=heddle-c++ in your build",
                 ErrorKind::Usage};
  if (facts.dynamic && !facts.runtime)
    return Error{path +
                     " was compiled with heddle-c++ but linked without it, so that the runtime is "
                     "missing: link with heddle-c++ (or heddle-cc) too",
                 ErrorKind::Usage};
  if (!facts.dynamic)
    return Error{path + " is linked statically, which hides the calls that heddle controls: link "
                        "it without -static (-static-libstdc++ is fine)",
                 ErrorKind::Usage};
  return Success{};
}

} // namespace

Result<Program> locateProgram(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments[0].empty())
    return Error{"no program given: heddle COMMAND [options] ./prog [arguments]", ErrorKind::Usage};
  auto executable = findExecutable(arguments[0]);
  if (!executable)
    return executable.error();
  auto facts = readElf(*executable);
  if (!facts)
    return facts.error();
  if (Status status = checkControllable(*executable, *facts); !status)
    return status.error();
  Program program;
  program.arguments = std::move(arguments);
  program.executable = std::filesystem::absolute(*executable).lexically_normal().string();
  std::error_code ignored;
  program.directory = std::filesystem::current_path(ignored).string();
  program.environment = chooseEnvironment(ownEnvironment(), {});
  program.buildId = facts->buildId;
  program.googleTest = facts->googleTest;
  program.heddleTests = facts->heddleTests;
  return program;
}

std::vector<std::string> ownEnvironment() {
  std::vector<std::string> own;
  for (char** entry = environ; entry && *entry; ++entry)
    own.emplace_back(*entry);
  return own;
}

std::vector<std::string> chooseEnvironment(const std::vector<std::string>& own,
                                           const std::vector<std::string>& added) {
  std::vector<std::string> chosen;
  for (const std::string& entry : own)
    if (!isVolatile(nameOf(entry)))
      chosen.push_back(entry);
  for (std::string_view fixed : kFixed) {
    drop(chosen, nameOf(fixed));
    chosen.emplace_back(fixed);
  }
  for (const std::string& entry : added) {
    drop(chosen, nameOf(entry));
    if (entry.find('=') != std::string::npos)
      chosen.push_back(entry);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

InputCopy copyInput(int descriptor, int patience) {
  InputCopy copy;
  if (isatty(descriptor))
    return copy;
  copy.present = true;
  char buffer[1 << 16];
  for (;;) {
    pollfd ready{descriptor, POLLIN, 0};
    if (poll(&ready, 1, patience) == 0) {
      copy.stayedOpen = true;
      return copy;
    }
    ssize_t got = read(descriptor, buffer, sizeof(buffer));
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (got <= 0)
      return copy;
    copy.text.append(buffer, static_cast<size_t>(got));
  }
}

} // namespace heddle
