// The sum and the number of values are variables of the file, and each function of the module that
// uses them locks them. The mean is computed in one critical section, by two functions that expect the
// lock to be held.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static long values;

void mean_add(long value) {
  pthread_mutex_lock(&lock);
  sum += value; // NOVIOLATION
  ++values; // NOVIOLATION
  pthread_mutex_unlock(&lock);
}

static long locked_values(void) {
  return values; // NOVIOLATION
}

static long locked_sum(void) {
  return sum; // NOVIOLATION
}

long mean_get(void) {
  pthread_mutex_lock(&lock);
  long number = locked_values();
  long result = number == 0 ? 0 : locked_sum() / number;
  pthread_mutex_unlock(&lock);
  return result;
}

static void *measure(void *argument) {
  mean_add(10);
  return argument;
}

static void *show(void *argument) {
  *(long *)argument = mean_get();
  return NULL;
}

int main(void) {
  long shown = 0;
  mean_add(10);
  pthread_t sensor, display;
  pthread_create(&sensor, NULL, measure, NULL);
  pthread_create(&display, NULL, show, &shown);
  pthread_join(sensor, NULL);
  pthread_join(display, NULL);
  assert(shown == 10);
  return 0;
}
