// The sum and the number of values are variables of the file, and each function of the module that
// uses them locks them. The mean is put together from two of these functions; a value that is added in
// between counts in the sum and not in the number.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static long values;

void mean_add(long value) {
  pthread_mutex_lock(&lock);
  sum += value; // VIOLATION: mean/9 intruder
  ++values; // VIOLATION: mean/9 intruder
  pthread_mutex_unlock(&lock);
}

static long mean_values(void) {
  pthread_mutex_lock(&lock);
  long result = values; // VIOLATION: mean/9 first
  pthread_mutex_unlock(&lock);
  return result;
}

static long mean_sum(void) {
  pthread_mutex_lock(&lock);
  long result = sum; // VIOLATION: mean/9 second
  pthread_mutex_unlock(&lock);
  return result;
}

long mean_get(void) {
  long number = mean_values();
  return number == 0 ? 0 : mean_sum() / number;
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
  assert(shown == 10); // EXPECT: assertion
  return 0;
}
