// Signals are blocked everywhere and read from a signalfd by one thread, which hands what they mean
// to a worker. Real-time signals queue, so none of them is lost.
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int rounds = 3000;
static int descriptor;
static int acknowledged[2];
static long reloads, sum;

static void* dispatch(void* argument) {
  (void)argument;
  for (int ended = 0; !ended;) {
    struct pollfd polled = {descriptor, POLLIN, 0};
    struct signalfd_siginfo information;
    assert(poll(&polled, 1, -1) == 1);
    assert(read(descriptor, &information, sizeof information) == sizeof information);
    if (information.ssi_signo == (unsigned)SIGTERM)
      ended = 1;
    else
      sum += information.ssi_int;
    ++reloads;
    assert(write(acknowledged[1], "a", 1) == 1);
  }
  return NULL;
}

static void await_acknowledgement(void) {
  char byte;
  assert(read(acknowledged[0], &byte, 1) == 1);
}

int main(int argc, char** argv) {
  pthread_t dispatcher;
  sigset_t watched;
  if (argc > 1)
    rounds = atoi(argv[1]);
  sigemptyset(&watched);
  sigaddset(&watched, SIGRTMIN);
  sigaddset(&watched, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &watched, NULL);
  descriptor = signalfd(-1, &watched, SFD_CLOEXEC);
  assert(descriptor >= 0);
  assert(pipe(acknowledged) == 0);
  pthread_create(&dispatcher, NULL, dispatch, NULL);
  for (int i = 1; i <= rounds; ++i) {
    union sigval value = {.sival_int = i};
    assert(sigqueue(getpid(), SIGRTMIN, value) == 0);
    await_acknowledgement();
  }
  kill(getpid(), SIGTERM);
  await_acknowledgement();
  pthread_join(dispatcher, NULL);
  assert(reloads == rounds + 1);
  assert(sum == (long)rounds * (rounds + 1) / 2);
  close(descriptor);
  return 0;
}
