// A mutex and a condition variable with the process-shared attribute, in memory from mmap, as a
// library sets them up that does not know whether its peers are processes or threads.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { kCapacity = 16, kProducers = 2 };

struct channel {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  unsigned head, tail;
  int items[kCapacity];
};

static struct channel* channel;
static int rounds = 8000;

static struct channel* make_channel(void) {
  pthread_mutexattr_t mutex_attributes;
  pthread_condattr_t condition_attributes;
  struct channel* made =
      mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(made != MAP_FAILED);
  pthread_mutexattr_init(&mutex_attributes);
  pthread_mutexattr_setpshared(&mutex_attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&made->mutex, &mutex_attributes);
  pthread_condattr_init(&condition_attributes);
  pthread_condattr_setpshared(&condition_attributes, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&made->changed, &condition_attributes);
  return made;
}

static void put(int item) {
  pthread_mutex_lock(&channel->mutex);
  while (channel->tail - channel->head == kCapacity)
    pthread_cond_wait(&channel->changed, &channel->mutex);
  channel->items[channel->tail++ % kCapacity] = item;
  pthread_cond_broadcast(&channel->changed);
  pthread_mutex_unlock(&channel->mutex);
}

static int get(void) {
  pthread_mutex_lock(&channel->mutex);
  while (channel->tail == channel->head)
    pthread_cond_wait(&channel->changed, &channel->mutex);
  int item = channel->items[channel->head++ % kCapacity];
  pthread_cond_broadcast(&channel->changed);
  pthread_mutex_unlock(&channel->mutex);
  return item;
}

static void* produce(void* argument) {
  (void)argument;
  for (int i = 1; i <= rounds; ++i)
    put(i);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t producers[kProducers];
  long sum = 0;
  if (argc > 1)
    rounds = atoi(argv[1]);
  channel = make_channel();
  for (int i = 0; i < kProducers; ++i)
    pthread_create(&producers[i], NULL, produce, NULL);
  for (int i = 0; i < kProducers * rounds; ++i)
    sum += get();
  for (int i = 0; i < kProducers; ++i)
    pthread_join(producers[i], NULL);
  assert(sum == (long)kProducers * rounds * (rounds + 1) / 2);
  munmap(channel, sizeof *channel);
  return 0;
}
