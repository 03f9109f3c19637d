// A program with threads that forks: handlers of pthread_atfork take the library's lock before, and
// both sides give it back, so the child finds the state whole and can go on using it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kThreads = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long debit, credit;
static int rounds = 20000;

static void before_fork(void) { pthread_mutex_lock(&mutex); }
static void after_fork(void) { pthread_mutex_unlock(&mutex); }

static void book(long amount) {
  pthread_mutex_lock(&mutex);
  debit += amount;
  credit += amount;
  pthread_mutex_unlock(&mutex);
}

static void* work(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i)
    book(i);
  return NULL;
}

static void run_child(void) {
  for (int i = 0; i < 10; ++i)
    book(1);
  pthread_mutex_lock(&mutex);
  _exit(debit == credit ? 0 : 1);
}

static void fork_and_wait(void) {
  int status = -1;
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0)
    run_child();
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  if (argc > 1)
    rounds = atoi(argv[1]);
  pthread_atfork(before_fork, after_fork, after_fork);
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; ++i)
    fork_and_wait();
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  assert(debit == credit && debit == (long)kThreads * rounds * (rounds - 1) / 2);
  return 0;
}
