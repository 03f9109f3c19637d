// Everything of C11's <threads.h>: a pipeline of two stages with timed waits, a call_once, and
// thread-specific storage whose destructor counts.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

enum { kCapacity = 8 };

struct stage {
  mtx_t mutex;
  cnd_t changed;
  int items[kCapacity];
  unsigned head, tail;
};

static struct stage first, second;
static once_flag once = ONCE_FLAG_INIT;
static tss_t scratch;
static atomic_int destroyed;
static int rounds = 8000;

static void destroy(void* pointer) {
  free(pointer);
  atomic_fetch_add(&destroyed, 1);
}

static void set_up(void) { assert(tss_create(&scratch, destroy) == thrd_success); }

static void init(struct stage* stage) {
  assert(mtx_init(&stage->mutex, mtx_timed) == thrd_success);
  assert(cnd_init(&stage->changed) == thrd_success);
}

static void put(struct stage* stage, int item) {
  mtx_lock(&stage->mutex);
  while (stage->tail - stage->head == kCapacity)
    cnd_wait(&stage->changed, &stage->mutex);
  stage->items[stage->tail++ % kCapacity] = item;
  cnd_broadcast(&stage->changed);
  mtx_unlock(&stage->mutex);
}

static int get(struct stage* stage) {
  mtx_lock(&stage->mutex);
  while (stage->tail == stage->head) {
    struct timespec deadline;
    timespec_get(&deadline, TIME_UTC);
    deadline.tv_sec += 1;
    cnd_timedwait(&stage->changed, &stage->mutex, &deadline);
  }
  int item = stage->items[stage->head++ % kCapacity];
  cnd_broadcast(&stage->changed);
  mtx_unlock(&stage->mutex);
  return item;
}

static int square(void* argument) {
  (void)argument;
  call_once(&once, set_up);
  int* last = malloc(sizeof *last);
  tss_set(scratch, last);
  for (int i = 0; i < rounds; ++i) {
    int item = get(&first);
    *(int*)tss_get(scratch) = item;
    put(&second, item % 100 * (item % 100));
  }
  return *last == rounds ? 7 : 0;
}

static int feed(void* argument) {
  (void)argument;
  call_once(&once, set_up);
  for (int i = 1; i <= rounds; ++i)
    put(&first, i);
  return 0;
}

int main(int argc, char** argv) {
  thrd_t feeder, squarer;
  int result = 0;
  if (argc > 1)
    rounds = atoi(argv[1]);
  init(&first);
  init(&second);
  assert(thrd_create(&squarer, square, NULL) == thrd_success);
  assert(thrd_create(&feeder, feed, NULL) == thrd_success);
  for (int i = 1; i <= rounds; ++i)
    assert(get(&second) == i % 100 * (i % 100));
  thrd_join(feeder, NULL);
  thrd_join(squarer, &result);
  assert(result == 7 && destroyed == 1);
  return 0;
}
