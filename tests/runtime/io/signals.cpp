// Handlers, masks, pending signals, sigwait, pthread_kill, alarm, interrupted calls, SIGPIPE.
#include "check.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

static volatile sig_atomic_t caught = 0;
static std::atomic<pthread_t> handledBy{};

static void count(int) {
  caught = caught + 1;
  handledBy = pthread_self();
}

static void install(int signal, int flags) {
  struct sigaction action{};
  action.sa_handler = count;
  action.sa_flags = flags;
  CHECK(sigaction(signal, &action, nullptr) == 0);
}

static sigset_t setOf(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

static void raising() {
  install(SIGUSR1, 0);
  caught = 0;
  CHECK(raise(SIGUSR1) == 0 && caught == 1);
  CHECK(kill(getpid(), SIGUSR1) == 0 && caught == 2);
  sigset_t set = setOf(SIGUSR1), pending;
  CHECK(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0);
  CHECK(raise(SIGUSR1) == 0 && caught == 2);
  CHECK(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
  CHECK(pthread_sigmask(SIG_UNBLOCK, &set, nullptr) == 0 && caught == 3);
  CHECK(signal(SIGUSR1, SIG_IGN) != SIG_ERR && raise(SIGUSR1) == 0 && caught == 3);
  CHECK(signal(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL);
}

static void toAnotherThread() {
  install(SIGUSR1, 0);
  caught = 0;
  int ends[2];
  CHECK(pipe(ends) == 0);
  std::atomic<bool> about = false, stop = false;
  std::atomic<int> interrupted = 0;
  std::thread reader([&] {
    char byte;
    about = true;
    while (!stop)
      if (read(ends[0], &byte, 1) == -1 && errno == EINTR)
        ++interrupted;
  });
  while (!about)
    std::this_thread::yield();
  while (interrupted == 0) {
    CHECK(pthread_kill(reader.native_handle(), SIGUSR1) == 0);
    usleep(1000);
  }
  CHECK(caught >= 1 && pthread_equal(handledBy, reader.native_handle()));
  stop = true;
  CHECK(write(ends[1], "x", 1) == 1);
  reader.join();
  close(ends[0]);
  close(ends[1]);
}

static void restarts() {
  install(SIGUSR1, SA_RESTART);
  caught = 0;
  int ends[2];
  CHECK(pipe(ends) == 0);
  std::thread reader([&] {
    char byte;
    CHECK(read(ends[0], &byte, 1) == 1);
  });
  for (int i = 0; i < 3; ++i) {
    CHECK(pthread_kill(reader.native_handle(), SIGUSR1) == 0);
    usleep(500);
  }
  CHECK(write(ends[1], "x", 1) == 1);
  reader.join();
  close(ends[0]);
  close(ends[1]);
}

static void waitingForSignals() {
  sigset_t set = setOf(SIGUSR2);
  CHECK(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0);
  std::thread sender([] { CHECK(kill(getpid(), SIGUSR2) == 0); });
  int got = 0;
  CHECK(sigwait(&set, &got) == 0 && got == SIGUSR2);
  sender.join();
  timespec time{0, 20'000'000};
  CHECK(sigtimedwait(&set, nullptr, &time) == -1 && errno == EAGAIN);
  sigval value;
  value.sival_int = 42;
  CHECK(sigqueue(getpid(), SIGUSR2, value) == 0);
  siginfo_t info;
  CHECK(sigwaitinfo(&set, &info) == SIGUSR2 && info.si_value.sival_int == 42);
  int fd = signalfd(-1, &set, SFD_CLOEXEC);
  CHECK(fd >= 0 && raise(SIGUSR2) == 0);
  std::thread other([] { kill(getpid(), SIGUSR2); });
  signalfd_siginfo text;
  CHECK(read(fd, &text, sizeof text) == sizeof text && text.ssi_signo == SIGUSR2);
  other.join();
  close(fd);
  signal(SIGUSR2, SIG_IGN);
  CHECK(pthread_sigmask(SIG_UNBLOCK, &set, nullptr) == 0);
}

static void alarms() {
  install(SIGALRM, 0);
  caught = 0;
  itimerval value{{0, 0}, {0, 30'000}};
  CHECK(setitimer(ITIMER_REAL, &value, nullptr) == 0);
  CHECK(pause() == -1 && errno == EINTR && caught == 1);
  sigset_t set = setOf(SIGALRM), none;
  sigemptyset(&none);
  CHECK(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0);
  CHECK(setitimer(ITIMER_REAL, &value, nullptr) == 0);
  CHECK(sigsuspend(&none) == -1 && errno == EINTR && caught == 2);
  CHECK(pthread_sigmask(SIG_UNBLOCK, &set, nullptr) == 0);
  CHECK(alarm(100) == 0 && alarm(0) == 100);
  CHECK(setitimer(ITIMER_REAL, &value, nullptr) == 0);
  timespec request{5, 0}, left{};
  CHECK(nanosleep(&request, &left) == -1 && errno == EINTR && left.tv_sec == 4 && caught == 3);
  CHECK(setitimer(ITIMER_REAL, &value, nullptr) == 0);
  std::thread blocked([] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    usleep(100'000);
  });
  blocked.join();
  CHECK(caught == 4);
}

static void timers() {
  install(SIGRTMIN + 3, 0);
  caught = 0;
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN + 3;
  timer_t timer;
  CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  itimerspec value{{0, 0}, {0, 10'000'000}};
  CHECK(timer_settime(timer, 0, &value, nullptr) == 0);
  while (caught == 0)
    pause();
  CHECK(caught == 1 && timer_delete(timer) == 0);
}

static void masksOfWaits() {
  install(SIGUSR1, SA_RESTART);
  caught = 0;
  sigset_t set = setOf(SIGUSR1), none;
  sigemptyset(&none);
  CHECK(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0 && raise(SIGUSR1) == 0 && caught == 0);
  CHECK(ppoll(nullptr, 0, nullptr, &none) == -1 && errno == EINTR && caught == 1);
  CHECK(raise(SIGUSR1) == 0 && caught == 1);
  CHECK(pselect(0, nullptr, nullptr, nullptr, nullptr, &none) == -1 && errno == EINTR);
  CHECK(caught == 2 && pthread_sigmask(SIG_UNBLOCK, &set, nullptr) == 0 && caught == 2);
}

static void brokenPipe() {
  install(SIGPIPE, 0);
  caught = 0;
  int ends[2];
  CHECK(pipe(ends) == 0);
  close(ends[0]);
  CHECK(write(ends[1], "x", 1) == -1 && errno == EPIPE && caught == 1);
  close(ends[1]);
}

int main() {
  raising();
  toAnotherThread();
  restarts();
  waitingForSignals();
  alarms();
  timers();
  masksOfWaits();
  brokenPipe();
}
