// Locks whose operations are inline assembly. With -DBUG one thread takes none of them.
#include <cassert>
#include <sched.h>
#include <thread>

namespace {

int exchanged;               // a lock by xchg, given back by mov
int compared;                // a lock by cmpxchg, through a pointer in a register
volatile int barred;         // a lock by xchg, given back by a store after a compiler barrier
unsigned ticket, serving;    // a lock by xadd
long counts[4];

int exchange(int* word, int value) {
  __asm__ volatile("xchgl %0,%1" : "+r"(value), "+m"(*word)::"memory");
  return value;
}

bool compareAndSet(int* word) {
  int old = 0;
  __asm__ volatile("lock; cmpxchgl %2,(%1)" : "+a"(old) : "r"(word), "r"(1) : "memory", "cc");
  return old == 0;
}

void countExchanged() {
  while (exchange(&exchanged, 1))
    sched_yield();
  counts[0] = counts[0] + 1; // exchanged
  __asm__ volatile("movl $0,%0" : "=m"(exchanged)::"memory");
}

void countCompared() {
  while (!compareAndSet(&compared)) {
  }
  counts[1] = counts[1] + 1; // compared
  __asm__ volatile("lock; andl $0,%0" : "+m"(compared)::"memory", "cc");
}

void countBarred() {
  int taken;
  do {
    taken = 1;
    __asm__ volatile("xchgl %0,%1" : "+r"(taken), "+m"(barred)::"memory");
    if (taken)
      __asm__ volatile("pause");
  } while (taken);
  counts[2] = counts[2] + 1; // barred
  __asm__ volatile("" ::: "memory");
  barred = 0;
}

unsigned read(unsigned* word) {
  unsigned value;
  __asm__ volatile("movl %1,%0" : "=r"(value) : "m"(*word) : "memory");
  return value;
}

void countInTurn() {
  unsigned own = 1;
  __asm__ volatile("lock; xaddl %0,%1" : "+r"(own), "+m"(ticket)::"memory", "cc");
  while (read(&serving) != own) {
  }
  counts[3] = counts[3] + 1; // in turn
  __asm__ volatile("lock; incl %0" : "+m"(serving)::"memory", "cc");
}

void work() {
  for (int i = 0; i < 2; ++i) {
    countExchanged();
    countCompared();
    countBarred();
    countInTurn();
  }
}

} // namespace

int main() {
  std::thread one(work), other([] {
    work();
#ifdef BUG
    counts[0] = counts[0] + 1; // unlocked
#endif
  });
  one.join();
  other.join();
  for (long count : counts)
    assert(count >= 4);
}
