// Two ticket counters sell the seats of a hall under a pthread spin lock. Each looks up the next
// free seat in one critical section and marks it in another; both can sell the same seat. The
// number of seats that were not sold exactly once is the exit status.
#define _GNU_SOURCE
#include <pthread.h>

enum { seatCount = 4 };

static pthread_spinlock_t hallLock;
static int nextSeat;
static int tickets[seatCount];

static int nextFreeSeat(void) {
  pthread_spin_lock(&hallLock);
  int seat = nextSeat;
  pthread_spin_unlock(&hallLock);
  return seat;
}

static void sellTicket(void) {
  int seat = nextFreeSeat();
  pthread_spin_lock(&hallLock);
  tickets[seat]++;
  nextSeat = seat + 1;
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
  return mistakes; // EXPECT: exit-status
}
