// A journal whose flusher holds the mutex over a slow write. The appender waits for the mutex with
// a timeout and appends even if it did not get it; when the flusher came first, the entry arrives
// in the middle of a flush.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static int entries;
static int flushed;
static int rejected;

static int lockWithin(long milliseconds) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += milliseconds * 1000000L;
  if (deadline.tv_nsec >= 1000000000L) {
    deadline.tv_nsec -= 1000000000L;
    deadline.tv_sec++;
  }
  return pthread_mutex_timedlock(&journal, &deadline);
}

static void *append(void *argument) {
  (void)argument;
  int status = lockWithin(1);
  entries++; // RACE!
  if (status == 0)
    pthread_mutex_unlock(&journal);
  return NULL;
}

static void *flush(void *argument) {
  (void)argument;
  pthread_mutex_lock(&journal);
  int batch = entries; // RACE!
  usleep(3000);
  assert(entries == batch); // EXPECT: assertion // RACE!
  flushed = batch;
  pthread_mutex_unlock(&journal);
  return NULL;
}

int main(void) {
  pthread_t appender;
  pthread_t flusher;
  pthread_create(&appender, NULL, append, NULL);
  pthread_create(&flusher, NULL, flush, NULL);
  pthread_join(appender, NULL);
  pthread_join(flusher, NULL);
  assert(entries + rejected == 1 && flushed <= entries);
  return 0;
}
