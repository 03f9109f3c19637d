// Cancellation and pthread_exit run the destructors of C++ objects, and pass through functions
// that catch and rethrow.
#include "check.h"

#include <memory>
#include <pthread.h>
#include <semaphore.h>
#include <string>

static sem_t never;
static std::string log;

struct Traced {
  explicit Traced(char name) : name(name) {}
  ~Traced() { log += name; }
  char name;
};

static thread_local Traced ofThread('t');

static void wait(int depth) {
  Traced local(static_cast<char>('0' + depth));
  auto owned = std::make_unique<Traced>('o');
  if (depth > 0) {
    try {
      wait(depth - 1);
    } catch (...) {
      log += 'c';
      throw;
    }
    return;
  }
  sem_wait(&never);
}

static void* cancelledBelow(void*) {
  ofThread.name = 'T';
  Traced local('a');
  wait(2);
  return nullptr;
}

static void leave(int depth) {
  Traced local(static_cast<char>('0' + depth));
  if (depth == 0)
    pthread_exit(reinterpret_cast<void*>(9));
  leave(depth - 1);
}

static void* exitsBelow(void*) {
  ofThread.name = 'T';
  Traced local('a');
  leave(3);
  return nullptr;
}

int main() {
  sem_init(&never, 0, 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, cancelledBelow, nullptr);
  pthread_cancel(thread);
  void* result;
  pthread_join(thread, &result);
  CHECK(result == PTHREAD_CANCELED);
  CHECK(log == "o0co1co2aT");

  log.clear();
  pthread_create(&thread, nullptr, exitsBelow, nullptr);
  pthread_join(thread, &result);
  CHECK_EQ(result, 9);
  CHECK(log == "0123aT");
  return 0;
}
