// heddle-corpus: short=20
// Threads count themselves in /proc/self/task and /proc/self/status, as monitors and sandboxes do:
// all that were started and have not ended are there, with the ids that gettid gives them.
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kWorkers = 3 };

static int rounds;
static pthread_barrier_t all;

/// How many threads are listed; `id` must be one of them.
static int listedThreads(pid_t id) {
  DIR* folder = opendir("/proc/self/task");
  assert(folder != NULL);
  int count = 0;
  int found = 0;
  for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    if (entry->d_name[0] == '.')
      continue;
    ++count;
    found += atoi(entry->d_name) == id;
  }
  closedir(folder);
  assert(found == 1);
  return count;
}

static int countedThreads(void) {
  FILE* status = fopen("/proc/self/status", "r");
  assert(status != NULL);
  char line[256];
  int count = -1;
  while (fgets(line, sizeof line, status) != NULL)
    if (strncmp(line, "Threads:", strlen("Threads:")) == 0)
      count = atoi(line + strlen("Threads:"));
  fclose(status);
  return count;
}

static void* work(void* unused) {
  for (int round = 0; round < rounds; ++round) {
    pthread_barrier_wait(&all);
    assert(listedThreads(gettid()) == kWorkers + 1);
    assert(countedThreads() == kWorkers + 1);
    pthread_barrier_wait(&all);
  }
  return unused;
}

int main(int argc, char** argv) {
  rounds = argc > 1 ? atoi(argv[1]) : 200;
  assert(listedThreads(getpid()) == 1);
  pthread_barrier_init(&all, NULL, kWorkers + 1);
  pthread_t workers[kWorkers];
  for (int i = 0; i < kWorkers; ++i)
    pthread_create(&workers[i], NULL, work, NULL);
  for (int round = 0; round < rounds; ++round) {
    pthread_barrier_wait(&all);
    assert(listedThreads(getpid()) == kWorkers + 1);
    pthread_barrier_wait(&all);
  }
  for (int i = 0; i < kWorkers; ++i)
    pthread_join(workers[i], NULL);
  pthread_barrier_destroy(&all);
  return 0;
}
