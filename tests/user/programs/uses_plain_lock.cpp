// Threads that code without hooks orders: plain_lock.c. With -DBUG one of them goes without the
// lock; with -DPOINTER the functions are found at run time.
#include <cassert>
#include <dlfcn.h>
#include <thread>

extern "C" {
void plain_lock();
void plain_unlock();
int plain_twice(int);
}

namespace {

int balance;

#ifdef POINTER
void (*const lock)() = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "plain_lock"));
void (*const unlock)() = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "plain_unlock"));
#else
void lock() { plain_lock(); }
void unlock() { plain_unlock(); }
#endif

void book() {
  for (int i = 0; i < 2; ++i) {
    int amount = plain_twice(5);
    lock();
    balance = balance + amount; // locked
    unlock();
  }
}

} // namespace

int main() {
  plain_twice(0);
  std::thread one(book), other(book);
#ifdef BUG
  balance = balance + plain_twice(5); // unlocked
#endif
  one.join();
  other.join();
  assert(balance >= 40);
}
