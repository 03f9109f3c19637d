// A semaphore that one thread posts orders what it did before.
// RACY: sem_init(&filled, 0, 0) => sem_init(&filled, 0, 1)
// RACY: sem_post(&filled); => sem_post(&filled); data = 6;
#include <pthread.h>
#include <semaphore.h>

static int data;
static sem_t filled;

static void* write_data(void* argument) {
  data = 5;
  sem_post(&filled);
  return argument;
}

int main(void) {
  pthread_t writer;
  sem_init(&filled, 0, 0);
  pthread_create(&writer, NULL, write_data, NULL);
  sem_wait(&filled);
  int seen = data;
  pthread_join(writer, NULL);
  return seen;
}
