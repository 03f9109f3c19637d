// Which of two locks is given back is not known: none of them counts as held.
// clang-format off
// RACY: int which = 1; => int which = next();
// RACY: pthread_mutex_unlock(&locks[which]); => pthread_mutex_lock(&locks[next()]); pthread_mutex_unlock(&locks[next()]);
// clang-format on
#include <pthread.h>
#include <stddef.h>

extern int next(void);

static int total;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void* add(void* argument) {
  int which = 1;
  pthread_mutex_lock(&locks[1]);
  pthread_mutex_lock(&locks[0]);
  pthread_mutex_unlock(&locks[which]);
  total++;
  pthread_mutex_unlock(&locks[0]);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, add, NULL);
  pthread_mutex_lock(&locks[0]);
  total++;
  pthread_mutex_unlock(&locks[0]);
  pthread_join(thread, NULL);
  return 0;
}
