// Workers that are cancelled wherever they happen to be, again and again: in a condition wait, in a
// sleep, or at a test. Cleanup handlers give back the mutex and the buffers, in the right order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int waiting;
static atomic_int buffers;
static int rounds = 400;

static void unlock_mutex(void* argument) {
  --waiting;
  pthread_mutex_unlock(argument);
}

static void free_buffer(void* buffer) {
  free(buffer);
  atomic_fetch_sub(&buffers, 1);
}

static void* wait_for_ever(void* argument) {
  char* buffer = malloc(64);
  (void)argument;
  atomic_fetch_add(&buffers, 1);
  pthread_cleanup_push(free_buffer, buffer);
  pthread_mutex_lock(&mutex);
  ++waiting;
  pthread_cleanup_push(unlock_mutex, &mutex);
  for (;;)
    pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void* sleep_or_test(void* argument) {
  struct timespec pause = {0, 10000};
  char* buffer = malloc(64);
  (void)argument;
  atomic_fetch_add(&buffers, 1);
  pthread_cleanup_push(free_buffer, buffer);
  for (unsigned i = 0;; ++i) {
    buffer[i % 64] = (char)i;
    if (i % 4 == 0)
      nanosleep(&pause, NULL);
    else
      pthread_testcancel();
  }
  pthread_cleanup_pop(0);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1)
    rounds = atoi(argv[1]) / 10 + 1;
  for (int i = 0; i < rounds; ++i) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, wait_for_ever, NULL);
    pthread_create(&threads[1], NULL, sleep_or_test, NULL);
    pthread_create(&threads[2], NULL, wait_for_ever, NULL);
    for (int j = 0; j < 3; ++j)
      assert(pthread_cancel(threads[j]) == 0);
    for (int j = 0; j < 3; ++j) {
      void* result = NULL;
      assert(pthread_join(threads[j], &result) == 0);
      assert(result == PTHREAD_CANCELED);
    }
    pthread_mutex_lock(&mutex);
    assert(waiting == 0);
    pthread_mutex_unlock(&mutex);
  }
  assert(buffers == 0);
  return 0;
}
