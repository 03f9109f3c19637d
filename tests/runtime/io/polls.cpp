// poll, ppoll, select, pselect, epoll and eventfd between threads, with and without timeouts.
#include "check.h"

#include <cerrno>
#include <chrono>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <thread>
#include <unistd.h>

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

static void pollWakes() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  std::thread writer([&] { CHECK(write(ends[1], "x", 1) == 1); });
  pollfd descriptor{ends[0], POLLIN, 0};
  CHECK(poll(&descriptor, 1, -1) == 1 && descriptor.revents == POLLIN);
  writer.join();
  char byte;
  CHECK(read(ends[0], &byte, 1) == 1);
  auto begin = Clock::now();
  CHECK(poll(&descriptor, 1, 50) == 0 && descriptor.revents == 0);
  CHECK(Clock::now() - begin >= 50ms);
  timespec time{0, 20'000'000};
  CHECK(ppoll(&descriptor, 1, &time, nullptr) == 0);
  CHECK(poll(&descriptor, 1, 0) == 0);
  CHECK(poll(nullptr, 0, 10) == 0);
  close(ends[1]);
  CHECK(poll(&descriptor, 1, -1) == 1 && (descriptor.revents & POLLHUP));
  close(ends[0]);
}

static void selectWakes() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  timeval time{0, 30'000};
  CHECK(select(ends[0] + 1, &set, nullptr, nullptr, &time) == 0 && !FD_ISSET(ends[0], &set));
  CHECK(time.tv_sec == 0 && time.tv_usec == 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(5ms);
    CHECK(write(ends[1], "x", 1) == 1);
  });
  FD_SET(ends[0], &set);
  CHECK(select(ends[0] + 1, &set, nullptr, nullptr, nullptr) == 1 && FD_ISSET(ends[0], &set));
  writer.join();
  FD_ZERO(&set);
  FD_SET(ends[1], &set);
  timespec zero{0, 0};
  CHECK(pselect(ends[1] + 1, nullptr, &set, nullptr, &zero, nullptr) == 1);
  close(ends[0]);
  close(ends[1]);
}

static void epollWakes() {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  int first = eventfd(0, EFD_CLOEXEC);
  int second = eventfd(0, EFD_NONBLOCK);
  CHECK(epoll >= 0 && first >= 0 && second >= 0);
  for (int fd : {first, second}) {
    epoll_event event{EPOLLIN, {.fd = fd}};
    CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0);
  }
  epoll_event events[4];
  CHECK(epoll_wait(epoll, events, 4, 20) == 0);
  std::thread a([&] { CHECK(eventfd_write(first, 3) == 0); });
  std::thread b([&] { CHECK(eventfd_write(second, 4) == 0); });
  uint64_t sum = 0;
  while (sum != 7) {
    int count = epoll_wait(epoll, events, 4, -1);
    CHECK(count > 0);
    for (int i = 0; i < count; ++i) {
      eventfd_t value;
      CHECK(eventfd_read(events[i].data.fd, &value) == 0);
      sum += value;
    }
  }
  a.join();
  b.join();
  eventfd_t value;
  CHECK(eventfd_read(second, &value) == -1 && errno == EAGAIN);
  CHECK(epoll_ctl(epoll, EPOLL_CTL_DEL, first, nullptr) == 0);
  for (int fd : {first, second, epoll})
    close(fd);
}

static void eventfdBlocks() {
  int fd = eventfd(0, EFD_SEMAPHORE);
  int taken = 0;
  std::thread taker([&] {
    for (int i = 0; i < 5; ++i) {
      eventfd_t value;
      CHECK(eventfd_read(fd, &value) == 0 && value == 1);
      ++taken;
    }
  });
  CHECK(eventfd_write(fd, 2) == 0);
  CHECK(eventfd_write(fd, 3) == 0);
  taker.join();
  CHECK(taken == 5);
  close(fd);
}

int main() {
  pollWakes();
  selectWakes();
  epollWakes();
  eventfdBlocks();
}
