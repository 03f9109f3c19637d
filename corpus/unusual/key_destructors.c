// Thread-specific data: destructors that hand buffers back to a pool, one that sets its key again
// and is called again for that, and threads that come and go by the hundred.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kThreads = 3 };

struct buffer {
  struct buffer* next;
  long used;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct buffer* pool;
static long made, returned;
static pthread_key_t buffer_key, late_key;
static atomic_int late_calls;
static int rounds = 300;

static void return_buffer(void* pointer) {
  struct buffer* buffer = pointer;
  pthread_mutex_lock(&mutex);
  buffer->next = pool;
  pool = buffer;
  ++returned;
  pthread_mutex_unlock(&mutex);
}

static void run_twice(void* pointer) {
  size_t left = (size_t)pointer;
  atomic_fetch_add(&late_calls, 1);
  if (left > 1)
    pthread_setspecific(late_key, (void*)(left - 1));
}

static struct buffer* own_buffer(void) {
  struct buffer* buffer = pthread_getspecific(buffer_key);
  if (buffer)
    return buffer;
  pthread_mutex_lock(&mutex);
  buffer = pool;
  if (buffer)
    pool = buffer->next;
  else
    ++made;
  pthread_mutex_unlock(&mutex);
  if (!buffer)
    buffer = calloc(1, sizeof *buffer);
  pthread_setspecific(buffer_key, buffer);
  return buffer;
}

static void* work(void* argument) {
  (void)argument;
  for (int i = 0; i < 20; ++i)
    ++own_buffer()->used;
  pthread_setspecific(late_key, (void*)(size_t)2);
  return NULL;
}

int main(int argc, char** argv) {
  long used = 0;
  if (argc > 1)
    rounds = atoi(argv[1]) / 10 + 1;
  assert(pthread_key_create(&buffer_key, return_buffer) == 0);
  assert(pthread_key_create(&late_key, run_twice) == 0);
  for (int i = 0; i < rounds; ++i) {
    pthread_t threads[kThreads];
    for (int j = 0; j < kThreads; ++j)
      pthread_create(&threads[j], NULL, work, NULL);
    for (int j = 0; j < kThreads; ++j)
      pthread_join(threads[j], NULL);
  }
  while (pool) {
    struct buffer* buffer = pool;
    pool = buffer->next;
    used += buffer->used;
    free(buffer);
  }
  assert(used == 20L * kThreads * rounds);
  assert(returned == (long)kThreads * rounds && made <= kThreads);
  assert(late_calls == 2 * kThreads * rounds);
  return 0;
}
