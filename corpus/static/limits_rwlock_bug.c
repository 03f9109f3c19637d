// Limits that a control thread changes and workers read. The check reads one limit under the read
// lock and the other after it gave the lock back.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct limits {
  pthread_rwlock_t lock;
  long memory;
  long files;
  int version;
};

static struct limits limits = {PTHREAD_RWLOCK_INITIALIZER, 1024, 16, 1};

static void set_limits(long memory, long files) {
  pthread_rwlock_wrlock(&limits.lock);
  limits.memory = memory; // NORACE
  limits.files = files;   // RACE!
  limits.version++;       // NORACE
  pthread_rwlock_unlock(&limits.lock);
}

static bool within_limits(long memory, long files) {
  pthread_rwlock_rdlock(&limits.lock);
  long most_memory = limits.memory; // NORACE
  pthread_rwlock_unlock(&limits.lock);
  return memory <= most_memory && files <= limits.files; // RACE!
}

static void *control(void *argument) {
  for (int step = 1; step <= 5; ++step)
    set_limits(1024 * step, 16 * step);
  return argument;
}

static void *work(void *argument) {
  for (int files = 1; files <= 8; ++files)
    if (!within_limits(100, files))
      return &limits;
  return argument;
}

int main(void) {
  pthread_t controller, workers[2];
  pthread_create(&controller, NULL, control, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_create(&workers[i], NULL, work, NULL);
  void *failed = NULL;
  for (int i = 0; i < 2; ++i) {
    void *result;
    pthread_join(workers[i], &result);
    failed = failed ? failed : result;
  }
  pthread_join(controller, NULL);
  return failed == NULL && limits.version == 6 ? 0 : 1; // NORACE
}
