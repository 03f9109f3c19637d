// As uses_futex_lock.cpp, with a library that is opened when there are threads already.
#include <cassert>
#include <dlfcn.h>
#include <thread>

namespace {

using Function = void (*)();
Function lock, unlock;
long balance;

void book() {
  for (int i = 0; i < 5; ++i) {
    lock();
    balance = balance + 1;
    unlock();
  }
}

} // namespace

int main() {
  std::thread([] {}).join();
  void* library = dlopen("./libfutex.so", RTLD_NOW);
  assert(library);
  lock = reinterpret_cast<Function>(dlsym(library, "futex_lock"));
  unlock = reinterpret_cast<Function>(dlsym(library, "futex_unlock"));
  std::thread one(book), other(book);
  one.join();
  other.join();
  assert(balance == 10);
}
