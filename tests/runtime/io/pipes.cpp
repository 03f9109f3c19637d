// Pipes between threads: blocking reads, writes larger than a pipe, end of file, O_NONBLOCK.
#include "check.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>

static void smallMessages() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  std::thread reader([&] {
    std::string all;
    char byte;
    while (read(ends[0], &byte, 1) == 1)
      all += byte;
    CHECK(all == "hello, world");
  });
  CHECK(write(ends[1], "hello", 5) == 5);
  iovec parts[2] = {{const_cast<char*>(", "), 2}, {const_cast<char*>("world"), 5}};
  CHECK(writev(ends[1], parts, 2) == 7);
  CHECK(close(ends[1]) == 0);
  reader.join();
  close(ends[0]);
}

static void largerThanThePipe() {
  constexpr size_t kBytes = 300000;
  int ends[2];
  CHECK(pipe(ends) == 0);
  std::thread writer([&] {
    std::string data(kBytes, 'x');
    CHECK(write(ends[1], data.data(), data.size()) == static_cast<ssize_t>(kBytes));
    close(ends[1]);
  });
  size_t total = 0;
  char buffer[8192];
  ssize_t got;
  while ((got = read(ends[0], buffer, sizeof buffer)) > 0)
    total += static_cast<size_t>(got);
  CHECK(got == 0 && total == kBytes);
  writer.join();
  close(ends[0]);
}

static void nonBlocking() {
  int ends[2];
  CHECK(pipe2(ends, O_NONBLOCK) == 0);
  char buffer[4096] = {};
  CHECK(read(ends[0], buffer, 1) == -1 && errno == EAGAIN);
  ssize_t total = 0;
  ssize_t put;
  while ((put = write(ends[1], buffer, sizeof buffer)) > 0)
    total += put;
  CHECK(put == -1 && errno == EAGAIN && total >= 4096);
  close(ends[0]);
  signal(SIGPIPE, SIG_IGN);
  CHECK(write(ends[1], buffer, 1) == -1 && errno == EPIPE);
  signal(SIGPIPE, SIG_DFL);
  close(ends[1]);
  CHECK(read(ends[1], buffer, 1) == -1 && errno == EBADF);
}

static void pingPong() {
  int there[2], back[2];
  CHECK(pipe(there) == 0 && pipe(back) == 0);
  std::thread echo([&] {
    int value;
    while (read(there[0], &value, sizeof value) == sizeof value) {
      ++value;
      CHECK(write(back[1], &value, sizeof value) == sizeof value);
    }
  });
  for (int i = 0; i < 20; ++i) {
    int value = i;
    CHECK(write(there[1], &value, sizeof value) == sizeof value);
    CHECK(read(back[0], &value, sizeof value) == sizeof value && value == i + 1);
  }
  close(there[1]);
  echo.join();
  for (int fd : {there[0], back[0], back[1]})
    close(fd);
}

static void manyReaders() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  int sums[3] = {};
  std::thread readers[3];
  for (int i = 0; i < 3; ++i)
    readers[i] = std::thread([&, i] {
      char byte;
      while (read(ends[0], &byte, 1) == 1)
        sums[i] += byte;
    });
  for (char c = 1; c <= 10; ++c)
    CHECK(write(ends[1], &c, 1) == 1);
  close(ends[1]);
  for (auto& reader : readers)
    reader.join();
  CHECK(sums[0] + sums[1] + sums[2] == 55);
  close(ends[0]);
}

static void transfers() {
  int first[2], second[2];
  CHECK(pipe(first) == 0 && pipe(second) == 0);
  std::thread mover([&] {
    ssize_t total = 0;
    while (total < 6) {
      ssize_t moved = splice(first[0], nullptr, second[1], nullptr, 100, 0);
      CHECK(moved > 0);
      total += moved;
    }
  });
  CHECK(write(first[1], "abc", 3) == 3);
  CHECK(write(first[1], "def", 3) == 3);
  char buffer[8];
  for (size_t total = 0; total < 6;)
    total += static_cast<size_t>(read(second[0], buffer + total, 6 - total));
  CHECK(std::memcmp(buffer, "abcdef", 6) == 0);
  mover.join();
  for (int fd : {first[0], first[1], second[0], second[1]})
    close(fd);
}

/// Standard output that the program has replaced is a pipe like any other.
static void ownOutput() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  int saved = dup(1);
  CHECK(dup2(ends[1], 1) == 1);
  std::thread writer([] {
    std::string data(200000, 'o');
    CHECK(write(1, data.data(), data.size()) == 200000);
    close(1);
  });
  close(ends[1]);
  size_t total = 0;
  char buffer[8192];
  ssize_t got;
  while ((got = read(ends[0], buffer, sizeof buffer)) > 0)
    total += static_cast<size_t>(got);
  CHECK(total == 200000);
  writer.join();
  CHECK(dup2(saved, 1) == 1);
  close(saved);
  close(ends[0]);
}

int main() {
  smallMessages();
  largerThanThePipe();
  nonBlocking();
  pingPong();
  manyReaders();
  transfers();
  ownOutput();
}
