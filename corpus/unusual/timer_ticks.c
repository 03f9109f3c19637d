// POSIX timers: one delivers a signal to a thread that waits for it with sigwaitinfo, one is a
// timerfd that another thread reads; both count ticks while workers go on with theirs.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int ticks = 20;
static atomic_int finished;
static sigset_t watched;

static void* count_signals(void* argument) {
  timer_t timer;
  struct sigevent event;
  struct itimerspec period = {{0, 100000}, {0, 100000}};
  long* counted = argument;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  event.sigev_value.sival_int = 17;
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  assert(timer_settime(timer, 0, &period, NULL) == 0);
  while (*counted < ticks) {
    siginfo_t information;
    if (sigwaitinfo(&watched, &information) < 0) {
      assert(errno == EINTR);
      continue;
    }
    assert(information.si_value.sival_int == 17);
    *counted += 1 + timer_getoverrun(timer);
  }
  timer_delete(timer);
  atomic_fetch_add(&finished, 1);
  return NULL;
}

static void* count_expirations(void* argument) {
  struct itimerspec period = {{0, 150000}, {0, 150000}};
  long* counted = argument;
  int descriptor = timerfd_create(CLOCK_MONOTONIC, 0);
  assert(descriptor >= 0 && timerfd_settime(descriptor, 0, &period, NULL) == 0);
  while (*counted < ticks) {
    uint64_t expired = 0;
    assert(read(descriptor, &expired, sizeof expired) == sizeof expired);
    assert(expired >= 1);
    *counted += (long)expired;
  }
  close(descriptor);
  atomic_fetch_add(&finished, 1);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  long counted[2] = {0, 0};
  unsigned long worked = 0;
  if (argc > 1)
    ticks = atoi(argv[1]) / 20 + 2;
  sigemptyset(&watched);
  sigaddset(&watched, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &watched, NULL);
  pthread_create(&threads[0], NULL, count_signals, &counted[0]);
  pthread_create(&threads[1], NULL, count_expirations, &counted[1]);
  while (atomic_load(&finished) < 2) {
    struct timespec pause = {0, 30000};
    ++worked;
    nanosleep(&pause, NULL);
  }
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  assert(counted[0] >= ticks && counted[1] >= ticks && worked > 0);
  return 0;
}
