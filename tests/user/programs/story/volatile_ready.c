/* A volatile flag is believed to order what is written before it. */
#include <pthread.h>

static volatile int ready;
static int answer;

static void *work(void *unused) {
  answer = 42;
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, 0, work, 0);
  while (!ready) {
  }
  int seen = answer;
  pthread_join(worker, 0);
  return seen == 42 ? 0 : 1;
}
