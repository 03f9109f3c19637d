/* Sets that the source declares: of a structure, and of the file's globals. Nothing fails. */
#include <heddle/heddle.h>

#include <pthread.h>
#include <stddef.h>

struct range {
  pthread_mutex_t mutex;
  int low, high;
  int hits;
};

static struct range shared = {PTHREAD_MUTEX_INITIALIZER, 0, 10, 0};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int opened, closed;

static int take(struct range* range, int* member) {
  pthread_mutex_lock(&range->mutex);
  int value = *member;
  pthread_mutex_unlock(&range->mutex);
  return value;
}

static void declare(struct range* range) {
#ifdef MEMBERS
  HEDDLE_ATOMIC_SET(range->low, "bounds");
  HEDDLE_ATOMIC_SET(range->high, "bounds");
#endif
#ifdef NO_MEMBERS
  HEDDLE_NOT_IN_SET(*range);
#endif
#ifdef GLOBALS
  HEDDLE_ATOMIC_SET(opened, "doors");
  HEDDLE_ATOMIC_SET(closed, "doors");
#endif
#ifdef NO_GLOBALS
  HEDDLE_NOT_IN_SET(closed);
#endif
  (void)range;
}

static void move_range(struct range* range, int by) {
  pthread_mutex_lock(&range->mutex);
  range->low += by;
  range->high += by;
  ++range->hits;
  pthread_mutex_unlock(&range->mutex);
}

static int width(struct range* range) {
  int low = take(range, &range->low);
  int high = take(range, &range->high);
  return take(range, &range->hits) + high - low;
}

static void swing(void) {
  pthread_mutex_lock(&mutex);
  ++opened;
  ++closed;
  pthread_mutex_unlock(&mutex);
}

static int standing_open(void) {
  pthread_mutex_lock(&mutex);
  int count = opened;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  count -= closed;
  pthread_mutex_unlock(&mutex);
  return count;
}

static void* mover(void* unused) {
  move_range(&shared, 5);
  swing();
  return unused;
}

static void* reader(void* unused) {
  (void)width(&shared);
  (void)standing_open();
  return unused;
}

int main(void) {
  declare(&shared);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, mover, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
