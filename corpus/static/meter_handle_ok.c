// A meter behind an opaque handle with its lock inside. All functions of the interface take the
// lock; creation and destruction have the meter for themselves.
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct meter meter;

struct meter {
  pthread_mutex_t lock;
  long value;
  long limit;
  bool overflowed;
};

static meter *meter_create(long limit) {
  meter *self = malloc(sizeof *self);
  if (!self)
    abort();
  pthread_mutex_init(&self->lock, NULL);
  self->value = 0;          // NORACE
  self->limit = limit;      // NORACE
  self->overflowed = false; // NORACE
  return self;
}

static void meter_destroy(meter *self) {
  self->value = -1; // NORACE
  pthread_mutex_destroy(&self->lock);
  free(self); // NORACE
}

static void meter_add(meter *self, long amount) {
  pthread_mutex_lock(&self->lock);
  self->value += amount;         // NORACE
  if (self->value > self->limit) // NORACE
    self->overflowed = true;     // NORACE
  pthread_mutex_unlock(&self->lock);
}

static long meter_value(meter *self) {
  pthread_mutex_lock(&self->lock);
  long value = self->value; // NORACE
  pthread_mutex_unlock(&self->lock);
  return value;
}

static bool meter_overflowed(meter *self) {
  pthread_mutex_lock(&self->lock);
  bool overflowed = self->overflowed; // NORACE
  pthread_mutex_unlock(&self->lock);
  return overflowed;
}

static void *measure(void *argument) {
  meter *own = meter_create(10);
  for (int i = 0; i < 4 && !meter_overflowed(own); ++i) {
    meter_add(own, 1);
    meter_add(argument, 1);
  }
  meter_destroy(own);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  meter *total = meter_create(3);
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, measure, total);
  bool early = meter_overflowed(total);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  bool complete = meter_value(total) == 8 && (!early || meter_overflowed(total));
  meter_destroy(total);
  return complete ? 0 : 1;
}
