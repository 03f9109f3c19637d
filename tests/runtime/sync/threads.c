// Creation, join, detach, exit and attributes of threads.
#include "check.h"

#include <pthread.h>
#include <string.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void* echo(void* argument) { return argument; }

static void* waitAtGate(void* argument) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return argument;
}

static void joinGivesResults(void) {
  pthread_t threads[8];
  for (long i = 0; i < 8; ++i)
    CHECK_EQ(pthread_create(&threads[i], NULL, echo, (void*)i), 0);
  for (long i = 7; i >= 0; --i) {
    void* result = NULL;
    CHECK_EQ(pthread_join(threads[i], &result), 0);
    CHECK_EQ(result, i);
  }
}

static void joinRefusals(void) {
  CHECK_EQ(pthread_join(pthread_self(), NULL), EDEADLK);
  pthread_mutex_lock(&gate);
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, waitAtGate, (void*)5), 0);
  CHECK_EQ(pthread_tryjoin_np(thread, NULL), EBUSY);
  struct timespec soon = afterMillis(CLOCK_REALTIME, 5);
  CHECK_EQ(pthread_timedjoin_np(thread, NULL, &soon), ETIMEDOUT);
  soon = afterMillis(CLOCK_MONOTONIC, 5);
  CHECK_EQ(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  CHECK_EQ(pthread_clockjoin_np(thread, NULL, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
  pthread_mutex_unlock(&gate);
  struct timespec late = afterMillis(CLOCK_REALTIME, 60000);
  void* result = NULL;
  CHECK_EQ(pthread_timedjoin_np(thread, &result, &late), 0);
  CHECK_EQ(result, 5);
}

static void tryJoinEndsWell(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, echo, (void*)9);
  void* result = NULL;
  int error;
  while ((error = pthread_tryjoin_np(thread, &result)) == EBUSY)
    ;
  CHECK_EQ(error, 0);
  CHECK_EQ(result, 9);
}

static void detachedThreads(void) {
  pthread_mutex_lock(&gate);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, &attributes, waitAtGate, NULL), 0);
  CHECK_EQ(pthread_join(thread, NULL), EINVAL);
  CHECK_EQ(pthread_detach(thread), EINVAL);
  pthread_t other;
  CHECK_EQ(pthread_create(&other, NULL, waitAtGate, NULL), 0);
  CHECK_EQ(pthread_detach(other), 0);
  CHECK_EQ(pthread_detach(other), EINVAL);
  pthread_mutex_unlock(&gate);
  pthread_attr_destroy(&attributes);
}

static void exitFromBelow(int depth) {
  if (depth == 0)
    pthread_exit((void*)77);
  exitFromBelow(depth - 1);
}

static char order[8];

static void append(void* letter) { strncat(order, (const char*)letter, 1); }

static void* exitWithHandlers(void* argument) {
  pthread_cleanup_push(append, "a");
  pthread_cleanup_push(append, "b");
  pthread_cleanup_push(append, "c");
  pthread_cleanup_pop(1);
  exitFromBelow(10);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return argument;
}

static void exitRunsHandlers(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, exitWithHandlers, NULL);
  void* result;
  CHECK_EQ(pthread_join(thread, &result), 0);
  CHECK_EQ(result, 77);
  CHECK_EQ(strcmp(order, "cba"), 0);
}

static void checkStack(size_t atLeast) {
  pthread_attr_t attributes;
  CHECK_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  void* low;
  size_t size;
  CHECK_EQ(pthread_attr_getstack(&attributes, &low, &size), 0);
  char here;
  CHECK(&here >= (char*)low && &here < (char*)low + size);
  CHECK(size >= atLeast);
  volatile char used[100000];
  used[0] = used[sizeof used - 1] = 1;
  CHECK(&used[0] >= (char*)low);
  pthread_attr_destroy(&attributes);
}

static void* describe(void* argument) {
  checkStack((size_t)argument);
  char name[16];
  CHECK_EQ(pthread_setname_np(pthread_self(), "a name too long to be one"), ERANGE);
  CHECK_EQ(pthread_setname_np(pthread_self(), "weaver"), 0);
  CHECK_EQ(pthread_getname_np(pthread_self(), name, 15), ERANGE);
  CHECK_EQ(pthread_getname_np(pthread_self(), name, sizeof name), 0);
  CHECK_EQ(strcmp(name, "weaver"), 0);
  return NULL;
}

static void attributes(void) {
  checkStack(65536);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 20 << 20);
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, &attributes, describe, (void*)(19l << 20)), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_EQ(pthread_create(&thread, NULL, describe, (void*)(1l << 20)), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&attributes);
}

static void* ownId(void* argument) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  *(pid_t*)argument = gettid();
  CHECK(pthread_equal(pthread_self(), pthread_self()));
  return (void*)pthread_self();
}

static void identities(void) {
  CHECK_EQ(gettid(), getpid());
  pthread_mutex_lock(&gate);
  pthread_t threads[4];
  pid_t ids[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, ownId, &ids[i]);
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < 4; ++i) {
    void* identity;
    pthread_join(threads[i], &identity);
    CHECK(pthread_equal((pthread_t)identity, threads[i]));
    CHECK(ids[i] != getpid());
    for (int j = 0; j < i; ++j) {
      CHECK(!pthread_equal(threads[i], threads[j]));
      CHECK(ids[i] != ids[j]);
    }
  }
}

int main(void) {
  joinGivesResults();
  joinRefusals();
  tryJoinEndsWell();
  detachedThreads();
  exitRunsHandlers();
  attributes();
  identities();
  for (int i = 0; i < 50; ++i)
    joinGivesResults();
  return 0;
}
