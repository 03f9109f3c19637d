// Locks on files between threads and processes, a FIFO, and POSIX message queues.
#include "check.h"

#include <cerrno>
#include <fcntl.h>
#include <mqueue.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static std::string folder;

static void flocks() {
  std::string path = folder + "/lock";
  int counter = 0;
  auto work = [&] {
    int fd = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    CHECK(fd >= 0);
    for (int i = 0; i < 5; ++i) {
      CHECK(flock(fd, LOCK_EX) == 0);
      int seen = counter;
      std::this_thread::yield();
      counter = seen + 1;
      CHECK(flock(fd, LOCK_UN) == 0);
    }
    close(fd);
  };
  std::thread other(work);
  work();
  other.join();
  CHECK(counter == 10);
}

static void recordLocks() {
  std::string path = folder + "/lock";
  int fd = open(path.c_str(), O_RDWR | O_CREAT, 0600);
  int ends[2];
  CHECK(fd >= 0 && pipe(ends) == 0);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    CHECK(lockf(fd, F_LOCK, 0) == 0 && write(ends[1], "x", 1) == 1);
    usleep(3000);
    _exit(0);
  }
  char byte;
  CHECK(read(ends[0], &byte, 1) == 1); // the child has the lock
  struct flock lock{};
  lock.l_type = F_WRLCK;
  CHECK(fcntl(fd, F_SETLKW, &lock) == 0);
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  for (int open : {fd, ends[0], ends[1]})
    close(open);
}

static void fifo() {
  std::string path = folder + "/fifo";
  CHECK(mkfifo(path.c_str(), 0600) == 0);
  std::thread writer([&] {
    int fd = open(path.c_str(), O_WRONLY);
    CHECK(fd >= 0 && write(fd, "through", 7) == 7);
    close(fd);
  });
  int fd = open(path.c_str(), O_RDONLY);
  CHECK(fd >= 0);
  char buffer[16];
  size_t total = 0;
  ssize_t got;
  while ((got = read(fd, buffer + total, sizeof buffer - total)) > 0)
    total += static_cast<size_t>(got);
  CHECK(total == 7);
  writer.join();
  close(fd);
}

static void queues() {
  std::string name = "/heddle-test-" + std::to_string(getpid());
  mq_attr attributes{};
  attributes.mq_maxmsg = 1;
  attributes.mq_msgsize = 8;
  mqd_t queue = mq_open(name.c_str(), O_CREAT | O_RDWR, 0600, &attributes);
  if (queue < 0)
    return; // not in every container
  std::thread sender([&] {
    for (char c = 'a'; c < 'd'; ++c)
      CHECK(mq_send(queue, &c, 1, 0) == 0);
  });
  for (char c = 'a'; c < 'd'; ++c) {
    char buffer[8];
    CHECK(mq_receive(queue, buffer, sizeof buffer, nullptr) == 1 && buffer[0] == c);
  }
  sender.join();
  mq_close(queue);
  mq_unlink(name.c_str());
}

int main() {
  char name[] = "/tmp/heddle-locks-XXXXXX";
  CHECK(mkdtemp(name) != nullptr);
  folder = name;
  flocks();
  recordLocks();
  fifo();
  queues();
  for (const char* file : {"/lock", "/fifo"})
    unlink((folder + file).c_str());
  rmdir(name);
}
