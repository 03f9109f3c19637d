// Peterson's algorithm for two threads with sequentially consistent atomics: mutual exclusion
// without any read-modify-write, tens of thousands of times; the loops that wait have a pause and
// nothing else.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int wants[2];
static atomic_int polite;
static long inside;
static long visits[2];
static int rounds = 30000;

static void enter(int self) {
  int other = 1 - self;
  unsigned spins = 0;
  atomic_store(&wants[self], 1);
  atomic_store(&polite, self);
  while (atomic_load(&wants[other]) && atomic_load(&polite) == self)
    if (++spins % 64 == 0)
      sched_yield();
}

static void leave(int self) { atomic_store(&wants[self], 0); }

static void* visit(void* argument) {
  int self = (int)(size_t)argument;
  for (int i = 0; i < rounds; ++i) {
    enter(self);
    ++inside;
    assert(inside == 1);
    ++visits[self];
    --inside;
    leave(self);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (size_t i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, visit, (void*)i);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  assert(visits[0] == rounds && visits[1] == rounds);
  return 0;
}
