#include "control/plain_run.h"

#include "control/process.h"
#include "control/scratch.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace heddle {
namespace {

std::string readAll(int descriptor) {
  struct stat facts;
  if (fstat(descriptor, &facts) != 0)
    return {};
  std::string text(static_cast<size_t>(facts.st_size), '\0');
  size_t done = 0;
  while (done < text.size()) {
    ssize_t got =
        pread(descriptor, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (got <= 0)
      break;
    done += static_cast<size_t>(got);
  }
  text.resize(done);
  return text;
}

std::string secondsText(double seconds) {
  char text[32];
  snprintf(text, sizeof(text), "%g", seconds);
  return text;
}

std::string shownEnd(const std::string& output) {
  constexpr size_t kShown = 2000;
  if (output.empty())
    return {};
  return "; its output was:\n" + output.substr(output.size() - std::min(output.size(), kShown));
}

} // namespace

Result<std::string> outputOf(const Program& program, double seconds) {
  auto scratch = Scratch::create(program.input, program.hasInput);
  if (!scratch)
    return scratch.error();
  SpawnSetup setup;
  setup.input = scratch->input();
  setup.output = scratch->output();
  setup.temporary = scratch->temporary();
  auto process = Process::spawn(program, setup);
  if (!process)
    return process.error();
  auto status = process->waitForEnd(static_cast<int>(seconds * 1000));
  std::string output = readAll(scratch->output());
  if (!status)
    return Error{"the program did not end in " + secondsText(seconds) + " s" + shownEnd(output),
                 ErrorKind::Usage};
  if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0)
    return Error{"the program " + describeWaitStatus(*status) + shownEnd(output), ErrorKind::Usage};
  return output;
}

} // namespace heddle
