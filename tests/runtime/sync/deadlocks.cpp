// Programs that wait for ever: `deadlocks CASE`. Under the runtime each ends with the report of a
// deadlock; without it each hangs, so it is not run without.
#include "check.h"

#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <thread>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void relock() {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
}

static void upgrade() {
  pthread_rwlock_rdlock(&rwlock);
  pthread_rwlock_wrlock(&rwlock);
}

static void spin() {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&lock);
  pthread_spin_lock(&lock);
}

static pthread_once_t control = PTHREAD_ONCE_INIT;
static void onceInOnce() { pthread_once(&control, onceInOnce); }
static void once() { pthread_once(&control, onceInOnce); }

static int recursive(int n) {
  static int value = n == 0 ? 0 : recursive(n - 1);
  return value;
}
static void guard() { recursive(3); }

static pthread_t mainThread;
static void joinEachOther() {
  mainThread = pthread_self();
  std::thread([] { pthread_join(mainThread, nullptr); }).join();
}

static void lostSignal() {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_cond_signal(&condition);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);
}

static void destroyed() {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  std::thread waiter([&] {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
  });
  sleepMillis(1);
  pthread_cond_destroy(&condition);
}

static void semaphore() {
  sem_t none;
  sem_init(&none, 0, 0);
  sem_wait(&none);
}

static void barrier() {
  pthread_barrier_t meeting;
  pthread_barrier_init(&meeting, nullptr, 2);
  pthread_barrier_wait(&meeting);
}

static void cycle() {
  std::mutex left, right;
  std::thread other([&] {
    std::lock_guard first(right);
    sleepMillis(1);
    std::lock_guard second(left);
  });
  {
    std::lock_guard first(left);
    sleepMillis(1);
    std::lock_guard second(right);
  }
  other.join();
}

static void ownerEnded() {
  std::thread([] { pthread_mutex_lock(&mutex); }).join();
  pthread_mutex_lock(&mutex);
}

/// The new thread must not be taken for the dead owner, wherever its stack comes from.
static void recursiveOwnerEnded() {
  static std::recursive_mutex recursive;
  std::thread([] { recursive.lock(); }).join();
  std::thread([] { recursive.lock(); }).join();
}

static void mainHasLeft() {
  pthread_mutex_lock(&mutex);
  std::thread([] { pthread_mutex_lock(&mutex); }).detach();
  pthread_exit(nullptr);
}

int main(int argc, char** argv) {
  const struct {
    const char* name;
    void (*run)();
  } cases[] = {
      {"relock", relock},
      {"upgrade", upgrade},
      {"spin", spin},
      {"once", once},
      {"guard", guard},
      {"join-each-other", joinEachOther},
      {"lost-signal", lostSignal},
      {"destroyed", destroyed},
      {"semaphore", semaphore},
      {"barrier", barrier},
      {"cycle", cycle},
      {"owner-ended", ownerEnded},
      {"recursive-owner-ended", recursiveOwnerEnded},
      {"main-has-left", mainHasLeft},
  };
  for (const auto& c : cases)
    if (argc == 2 && strcmp(argv[1], c.name) == 0)
      c.run();
  return 0;
}
