// The kernel keeps the address of a connection and hands it out to whoever waits for events.
// RACY: pthread_mutex_lock(&connection->mutex); // event => // unlocked
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>

struct connection {
  pthread_mutex_t mutex;
  int descriptor;
  long events;
};

static int queue;

static void handle(struct connection* connection) {
  pthread_mutex_lock(&connection->mutex); // event
  connection->events++;
  pthread_mutex_unlock(&connection->mutex);
}

static void* loop(void* unused) {
  struct epoll_event ready[8];
  for (int round = 0; round < 10; ++round) {
    int count = epoll_wait(queue, ready, 8, 100);
    for (int i = 0; i < count; ++i)
      handle(ready[i].data.ptr);
  }
  return unused;
}

int main(void) {
  queue = epoll_create1(0);
  struct connection* connection = calloc(1, sizeof *connection);
  pthread_mutex_init(&connection->mutex, NULL);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  epoll_ctl(queue, EPOLL_CTL_ADD, connection->descriptor, &event);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, loop, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  return connection->events < 0;
}
