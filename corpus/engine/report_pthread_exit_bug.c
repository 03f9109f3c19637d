// Main starts detached workers and leaves by pthread_exit; the last worker writes the report. Each
// signs off and then looks whether anybody remains, in two critical sections: both can find nobody
// left, and the report is written twice.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int remaining = 2;
static int reportsWritten;

static void writeReport(void) {
  pthread_mutex_lock(&lock);
  reportsWritten++;
  assert(reportsWritten == 1); // EXPECT: assertion
  pthread_mutex_unlock(&lock);
}

static void signOff(void) {
  pthread_mutex_lock(&lock);
  remaining--;
  pthread_mutex_unlock(&lock);
}

static int nobodyLeft(void) {
  pthread_mutex_lock(&lock);
  int result = remaining == 0;
  pthread_mutex_unlock(&lock);
  return result;
}

static void *crunch(void *argument) {
  (void)argument;
  signOff();
  if (nobodyLeft())
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
