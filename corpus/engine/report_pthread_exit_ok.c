// Main starts detached workers and leaves by pthread_exit; the last worker writes the report. Each
// signs off and learns whether it was the last in one critical section, so exactly one writes it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int remaining = 2;
static int reportsWritten;

static void writeReport(void) {
  pthread_mutex_lock(&lock);
  reportsWritten++;
  assert(reportsWritten == 1);
  pthread_mutex_unlock(&lock);
}

static int signOff(void) {
  pthread_mutex_lock(&lock);
  int isLast = --remaining == 0; // NORACE
  pthread_mutex_unlock(&lock);
  return isLast;
}

static void *crunch(void *argument) {
  (void)argument;
  if (signOff())
    writeReport();
  pthread_exit(NULL);
}

int main(void) {
  for (int i = 0; i < 2; ++i) {
    pthread_t worker;
    pthread_create(&worker, NULL, crunch, NULL);
    pthread_detach(worker);
  }
  pthread_exit(NULL);
}
