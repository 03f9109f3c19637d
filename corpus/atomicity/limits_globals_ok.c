// heddle-corpus: long=-DSTEPS=1000
// The lower and the upper limit of a controller are two variables of the file, and the functions
// of the file lock them. Setting both takes one critical section.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef STEPS
#define STEPS 0 // unrelated steps in the window
#endif

static pthread_mutex_t limitsLock = PTHREAD_MUTEX_INITIALIZER;
static int lowerLimit = 0;
static int upperLimit = 10;

struct meter {
  atomic_int steps;
};

static struct meter operatorMeter, controllerMeter;

static void count(struct meter *meter, int steps) {
  for (int i = 0; i < steps; ++i)
    atomic_fetch_add(&meter->steps, 1);
}

static void setLimits(int lower, int upper) {
  pthread_mutex_lock(&limitsLock);
  lowerLimit = lower; // NOVIOLATION
  count(&operatorMeter, STEPS);
  upperLimit = upper; // NOVIOLATION
  pthread_mutex_unlock(&limitsLock);
}

static int width(void) {
  pthread_mutex_lock(&limitsLock);
  int lower = lowerLimit; // NOVIOLATION
  int upper = upperLimit; // NOVIOLATION
  pthread_mutex_unlock(&limitsLock);
  return upper - lower;
}

static void *runOperator(void *argument) {
  count(&operatorMeter, STEPS + STEPS / 16);
  setLimits(20, 30);
  return argument;
}

static void *runController(void *argument) {
  count(&controllerMeter, STEPS);
  *(int *)argument = width();
  return NULL;
}

int main(void) {
  int seen = 0;
  pthread_t operator, controller;
  pthread_create(&operator, NULL, runOperator, NULL);
  pthread_create(&controller, NULL, runController, &seen);
  pthread_join(operator, NULL);
  pthread_join(controller, NULL);
  assert(seen == 10);
}
