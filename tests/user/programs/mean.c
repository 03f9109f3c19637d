/* The mean is put together from the number and the sum of values, each read in a critical section
   of its own; the thread that asks for it checks it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum, number;

void add(long value) {
  pthread_mutex_lock(&mutex);
  sum += value; // WRITE SUM
  ++number;     // WRITE NUMBER
  pthread_mutex_unlock(&mutex);
}

static long read_sum(void) {
  pthread_mutex_lock(&mutex);
  long value = sum; // READ SUM
  pthread_mutex_unlock(&mutex);
  return value;
}

static long read_number(void) {
  pthread_mutex_lock(&mutex);
  long value = number; // READ NUMBER
  pthread_mutex_unlock(&mutex);
  return value;
}

long mean(void) {
  long values = read_number();
  return values == 0 ? 0 : read_sum() / values;
}

static void* display(void* unused) {
  assert(mean() == 10);
  return unused;
}

static void* sensor(void* unused) {
  add(10);
  return unused;
}

int main(void) {
  add(10);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, display, NULL);
  pthread_create(&threads[1], NULL, sensor, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
