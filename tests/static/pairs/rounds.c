// Each round of a loop makes an object for the thread that it creates, which frees it.
// clang-format off
// RACY: struct job* job = malloc(sizeof *job); /* own */ => job = job ? job : malloc(sizeof *job);
// RACY: /* kept */ => last = job; job = before; before = last;
// RACY: shared = 0; => shared = job;
// RACY: /* twice */ => pthread_create(&others[i], NULL, work, job);
// clang-format on
#include <pthread.h>
#include <stdlib.h>

struct job {
  int number;
};

static void* _Atomic shared;

static void* work(void* argument) {
  struct job* job = argument;
  job->number += 1;
  if (shared)
    ((struct job*)shared)->number = 7;
  return NULL;
}

int main(void) {
  pthread_t threads[4], others[4];
  struct job *job = NULL, *before = NULL, *last = NULL;
  for (int i = 0; i < 4; i++) {
    struct job* job = malloc(sizeof *job); /* own */
    job->number = i;
    /* kept */
    shared = 0;
    pthread_create(&threads[i], NULL, work, job);
    /* twice */
  }
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
