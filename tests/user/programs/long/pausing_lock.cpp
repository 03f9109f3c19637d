// Correct: a spin lock in inline assembly, whose loop has no operation that a hook sees.
#include <cassert>
#include <thread>
static volatile int word;
static int guarded;
static void lock() {
  int taken;
  do {
    taken = 1;
    __asm__ __volatile__("xchgl %0,%1" : "+r"(taken), "+m"(word)::"memory");
    if (taken)
      __asm__ __volatile__("pause");
  } while (taken != 0);
}
static void unlock() {
  __asm__ __volatile__("" ::: "memory");
  word = 0;
}
int main() {
  auto work = [] {
    lock();
    ++guarded;
    unlock();
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  assert(guarded == 2);
}
