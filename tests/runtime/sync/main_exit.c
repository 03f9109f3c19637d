// main leaves by pthread_exit: the process goes on until the last thread has ended, and exits
// with status 0.
#include "check.h"

#include <pthread.h>

static pthread_t mainThread;
static int handlerRan;
static int workDone;

static void handler(void* argument) { *(int*)argument = 1; }

static void* work(void* argument) {
  (void)argument;
  void* result = NULL;
  CHECK_EQ(pthread_join(mainThread, &result), 0);
  CHECK_EQ(result, 42);
  CHECK_EQ(handlerRan, 1);
  sleepMillis(10);
  workDone = 1;
  return NULL;
}

static void atExit(void) {
  if (!workDone)
    _exit(1);
}

int main(void) {
  mainThread = pthread_self();
  atexit(atExit);
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, work, NULL), 0);
  pthread_detach(thread);
  pthread_cleanup_push(handler, &handlerRan);
  pthread_exit((void*)42);
  pthread_cleanup_pop(0);
  return 3;
}
