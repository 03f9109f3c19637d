// Cancellation at blocking calls.
#include "check.h"

#include <atomic>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static std::atomic<int> cleaned = 0;

static void clean(void*) { ++cleaned; }

static void* reader(void*) {
  char byte;
  pthread_cleanup_push(clean, nullptr);
  CHECK(read(ends[0], &byte, 1) == 1);
  pthread_cleanup_pop(0);
  return nullptr;
}

static void* sleeper(void*) {
  pthread_cleanup_push(clean, nullptr);
  sleep(1000);
  pthread_cleanup_pop(0);
  return nullptr;
}

int main() {
  CHECK(pipe(ends) == 0);
  for (auto function : {reader, sleeper}) {
    pthread_t thread;
    CHECK(pthread_create(&thread, nullptr, function, nullptr) == 0);
    CHECK(pthread_cancel(thread) == 0);
    void* result = nullptr;
    CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  }
  CHECK(cleaned <= 2);
}
