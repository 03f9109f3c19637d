// Statistics in a MAP_SHARED page that two threads and a forked child update with atomic
// operations; the parent reads them when the child has ended.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct statistics {
  atomic_long calls;
  atomic_long bytes;
  long by_child;
};

static struct statistics* statistics;
static int rounds = 30000;

static void* call(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    atomic_fetch_add(&statistics->calls, 1);
    atomic_fetch_add_explicit(&statistics->bytes, i % 10, memory_order_relaxed);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  if (argc > 1)
    rounds = atoi(argv[1]) / 10 * 10;
  statistics =
      mmap(NULL, sizeof *statistics, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(statistics != MAP_FAILED);
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, call, NULL);
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    call(NULL);
    statistics->by_child = rounds;
    _exit(0);
  }
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  int status = 0;
  assert(waitpid(child, &status, 0) == child && status == 0);
  assert(statistics->by_child == rounds);
  assert(statistics->calls == 3L * rounds);
  assert(statistics->bytes == 3L * rounds / 10 * 45);
  munmap(statistics, sizeof *statistics);
  return 0;
}
