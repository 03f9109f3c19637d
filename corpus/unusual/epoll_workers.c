// An event loop: one thread waits in epoll for several pipes and an eventfd, and gives what arrives
// to workers through a queue; buffers belong to whoever has their number.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { kSources = 2, kWorkers = 2 };

static int pipes[kSources][2];
static int stop_event;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int* queue;
static long queued, taken, sum;
static int ended;
static int rounds = 5000;

static void enqueue(int item) {
  pthread_mutex_lock(&mutex);
  queue[queued++] = item;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&mutex);
}

static void* loop(void* argument) {
  int set = epoll_create1(EPOLL_CLOEXEC);
  (void)argument;
  for (int i = 0; i <= kSources; ++i) {
    struct epoll_event event = {.events = EPOLLIN};
    event.data.fd = i < kSources ? pipes[i][0] : stop_event;
    assert(epoll_ctl(set, EPOLL_CTL_ADD, event.data.fd, &event) == 0);
  }
  for (int stopped = 0; !stopped;) {
    struct epoll_event events[4];
    int count = epoll_wait(set, events, 4, -1);
    assert(count > 0);
    for (int i = 0; i < count; ++i) {
      int items[16];
      if (events[i].data.fd == stop_event && count == 1) {
        stopped = 1;
        break;
      }
      if (events[i].data.fd == stop_event)
        continue;
      ssize_t got = read(events[i].data.fd, items, sizeof items);
      for (ssize_t j = 0; j < got / (ssize_t)sizeof *items; ++j)
        enqueue(items[j]);
    }
  }
  pthread_mutex_lock(&mutex);
  ended = 1;
  pthread_cond_broadcast(&arrived);
  pthread_mutex_unlock(&mutex);
  close(set);
  return NULL;
}

static void* work(void* argument) {
  (void)argument;
  pthread_mutex_lock(&mutex);
  for (;;) {
    while (taken == queued && !ended)
      pthread_cond_wait(&arrived, &mutex);
    if (taken == queued)
      break;
    sum += queue[taken++];
  }
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void* feed(void* argument) {
  int descriptor = pipes[(size_t)argument][1];
  for (int i = 1; i <= rounds; ++i)
    assert(write(descriptor, &i, sizeof i) == sizeof i);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t looper, workers[kWorkers], feeders[kSources];
  uint64_t one = 1;
  if (argc > 1)
    rounds = atoi(argv[1]);
  queue = malloc((size_t)kSources * (size_t)rounds * sizeof *queue);
  stop_event = eventfd(0, 0);
  for (int i = 0; i < kSources; ++i)
    assert(pipe(pipes[i]) == 0);
  pthread_create(&looper, NULL, loop, NULL);
  for (int i = 0; i < kWorkers; ++i)
    pthread_create(&workers[i], NULL, work, NULL);
  for (size_t i = 0; i < kSources; ++i)
    pthread_create(&feeders[i], NULL, feed, (void*)i);
  for (int i = 0; i < kSources; ++i)
    pthread_join(feeders[i], NULL);
  assert(write(stop_event, &one, sizeof one) == sizeof one);
  pthread_join(looper, NULL);
  for (int i = 0; i < kWorkers; ++i)
    pthread_join(workers[i], NULL);
  assert(sum == (long)kSources * rounds * (rounds + 1) / 2);
  free(queue);
  return 0;
}
