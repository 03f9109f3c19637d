/* One place, one condition variable for those who put and those who take, and only one is woken. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *put(void *unused) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&mutex);
    while (full)
      pthread_cond_wait(&changed, &mutex);
    full = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void *take(void *unused) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&mutex);
    while (!full)
      pthread_cond_wait(&changed, &mutex);
    full = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], 0, i % 2 ? put : take, 0);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], 0);
  return 0;
}
