// Detached profiler threads that collect samples in thread-specific data; the destructor of the key
// adds them to the total. The thread announces its end before its destructors have run, so main can
// read a total from which samples are missing.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct Samples {
  int count;
};

static pthread_key_t samplesKey;
static pthread_mutex_t totalLock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static sem_t finished;

static void flushSamples(void *value) {
  struct Samples *samples = value;
  pthread_mutex_lock(&totalLock);
  total += samples->count;
  pthread_mutex_unlock(&totalLock);
  free(samples);
}

static void *profile(void *argument) {
  (void)argument;
  struct Samples *samples = calloc(1, sizeof *samples);
  pthread_setspecific(samplesKey, samples);
  for (int i = 0; i < 3; ++i)
    samples->count++;
  sem_post(&finished);
  return NULL;
}

int main(void) {
  pthread_key_create(&samplesKey, flushSamples);
  sem_init(&finished, 0, 0);
  for (int i = 0; i < 2; ++i) {
    pthread_t profiler;
    pthread_create(&profiler, NULL, profile, NULL);
    pthread_detach(profiler);
  }
  for (int i = 0; i < 2; ++i)
    sem_wait(&finished);
  pthread_mutex_lock(&totalLock);
  assert(total == 6); // EXPECT: assertion
  pthread_mutex_unlock(&totalLock);
  return 0;
}
