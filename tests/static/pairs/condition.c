// A variable under a lock that one thread sets orders what it did before.
// RACY: while (!done) => if (!done)
// RACY: pthread_mutex_lock(&mutex); // to set => // to set
// RACY: done = 1; => done = 1; data = 5;
#include <pthread.h>

static int data, done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* write_data(void* argument) {
  data = 4;
  pthread_mutex_lock(&mutex); // to set
  done = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t writer;
  pthread_create(&writer, NULL, write_data, NULL);
  pthread_detach(writer);
  pthread_mutex_lock(&mutex);
  while (!done)
    pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return data;
}
