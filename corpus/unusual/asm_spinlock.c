// A spin lock, a counter and a publication in inline assembly for x86, as old libraries have them:
// xchg takes the lock, `lock xadd` counts, and plain moves with a compiler barrier release.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { kThreads = 3 };

struct spinlock {
  int word;
};

static struct spinlock lock;
static long guarded_sum;
static int guarded_count;
static long tickets;
static int rounds = 15000;

static int exchange(int* word, int value) {
  __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(*word) : : "memory");
  return value;
}

static void spin_lock(struct spinlock* held) {
  int spins = 0;
  while (exchange(&held->word, 1)) {
    __asm__ __volatile__("pause" : : : "memory");
    if (++spins % 32 == 0)
      sched_yield();
  }
}

static void spin_unlock(struct spinlock* held) {
  __asm__ __volatile__("movl $0, %0" : "=m"(held->word) : : "memory");
}

static long next_ticket(void) {
  long one = 1;
  __asm__ __volatile__("lock; xaddq %0, %1" : "+r"(one), "+m"(tickets) : : "memory");
  return one;
}

static void* work(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    long ticket = next_ticket();
    spin_lock(&lock);
    guarded_sum += ticket;
    ++guarded_count;
    spin_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  long all = (long)kThreads * rounds;
  assert(guarded_count == all);
  assert(guarded_sum == all * (all - 1) / 2);
  return 0;
}
