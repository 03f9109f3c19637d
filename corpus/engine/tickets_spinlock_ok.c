// Two ticket counters sell the seats of a hall under a pthread spin lock. Taking the next seat and
// marking it sold are one critical section, so every seat is sold exactly once.
#define _GNU_SOURCE
#include <pthread.h>

enum { seatCount = 4 };

static pthread_spinlock_t hallLock;
static int nextSeat;
static int tickets[seatCount];

static void sellTicket(void) {
  pthread_spin_lock(&hallLock);
  int seat = nextSeat++; // NORACE
  tickets[seat]++;       // NORACE
  pthread_spin_unlock(&hallLock);
}

static void *runCounter(void *argument) {
  (void)argument;
  for (int i = 0; i < seatCount / 2; ++i)
    sellTicket();
  return NULL;
}

int main(void) {
  pthread_spin_init(&hallLock, PTHREAD_PROCESS_PRIVATE);
  pthread_t counters[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&counters[i], NULL, runCounter, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_join(counters[i], NULL);
  pthread_spin_destroy(&hallLock);

  int mistakes = 0;
  for (int seat = 0; seat < seatCount; ++seat)
    mistakes += tickets[seat] != 1;
  return mistakes;
}
