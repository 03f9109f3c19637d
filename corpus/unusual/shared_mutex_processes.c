// A counter in memory that a parent with two threads and its child share, behind a process-shared
// mutex. The child is forked before the threads are made, and waited for at the end.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
  pthread_mutex_t mutex;
  long count;
  long twice;
};

static struct shared* shared;
static int rounds = 20000;

static void* count(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&shared->mutex);
    shared->count += 1;
    shared->twice += 2;
    pthread_mutex_unlock(&shared->mutex);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_mutexattr_t attributes;
  pthread_t threads[2];
  if (argc > 1)
    rounds = atoi(argv[1]);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(shared != MAP_FAILED);
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutex, &attributes);

  pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    count(NULL);
    _exit(0);
  }
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert(shared->count == 3L * rounds);
  assert(shared->twice == 6L * rounds);
  munmap(shared, sizeof *shared);
  return 0;
}
