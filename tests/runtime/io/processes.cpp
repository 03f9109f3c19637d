// fork, waitpid, posix_spawn, system, popen, and pipes to children while threads run.
#include "check.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

static void forkAndWait() {
  int status = 0;
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0)
    _exit(7);
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  CHECK(waitpid(-1, &status, 0) == -1 && errno == ECHILD);
}

static void childWrites() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    close(ends[0]);
    usleep(2000);
    CHECK(write(ends[1], "from the child", 14) == 14);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[8];
  ssize_t got;
  while ((got = read(ends[0], buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<size_t>(got));
  CHECK(text == "from the child");
  close(ends[0]);
  siginfo_t info{};
  CHECK(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED) == 0 && info.si_pid == child);
}

static void forkInThread() {
  std::atomic<int> counter = 0;
  std::thread worker([&] {
    for (int i = 0; i < 100; ++i)
      ++counter;
  });
  std::thread forker([] {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      std::thread inside([] {});
      inside.join();
      _exit(3);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
  });
  worker.join();
  forker.join();
  CHECK(counter == 100);
}

static void spawnAndShell() {
  char program[] = "true";
  char* arguments[] = {program, nullptr};
  pid_t child;
  CHECK(posix_spawnp(&child, "true", nullptr, nullptr, arguments, environ) == 0);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  status = system("exit 5");
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
  FILE* pipe = popen("echo out of the shell", "r");
  CHECK(pipe != nullptr);
  char line[64];
  CHECK(fgets(line, sizeof line, pipe) && std::strcmp(line, "out of the shell\n") == 0);
  CHECK(pclose(pipe) == 0);
}

static void childExecs() {
  pid_t child = vfork();
  if (child == 0) {
    execlp("sh", "sh", "-c", "test -z \"$HEDDLE_BATCH_FD\" && exit 9", static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  CHECK(wait(&status) == child && WIFEXITED(status) && WEXITSTATUS(status) == 9);
}

int main() {
  forkAndWait();
  childWrites();
  forkInThread();
  spawnAndShell();
  childExecs();
}
