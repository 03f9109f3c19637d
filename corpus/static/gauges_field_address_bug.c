// Gauges of a server: a function adds to whatever field it is given the address of. Its callers
// hold the lock of the gauges, except the one that counts the closed connections.
#include <pthread.h>
#include <stddef.h>

struct gauges {
  pthread_mutex_t lock;
  long opened;
  long open;
};

struct client {
  pthread_t thread;
  long requests;
};

static struct gauges gauges = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void adjust(long *gauge, long amount) {
  *gauge += amount; // RACE!
}

static void open_connection(void) {
  pthread_mutex_lock(&gauges.lock);
  adjust(&gauges.opened, 1);
  adjust(&gauges.open, 1);
  pthread_mutex_unlock(&gauges.lock);
}

static void close_connection(void) { adjust(&gauges.open, -1); }

static long total_opened(void) {
  pthread_mutex_lock(&gauges.lock);
  long total = gauges.opened; // NORACE
  pthread_mutex_unlock(&gauges.lock);
  return total;
}

static void *run_client(void *argument) {
  struct client *client = argument;
  for (int i = 0; i < 3; ++i) {
    open_connection();
    adjust(&client->requests, 1);
    close_connection();
  }
  return total_opened() <= 6 ? NULL : argument;
}

int main(void) {
  struct client clients[2] = {{.requests = 0}, {.requests = 0}};
  for (int i = 0; i < 2; ++i)
    pthread_create(&clients[i].thread, NULL, run_client, &clients[i]);
  for (int i = 0; i < 2; ++i)
    pthread_join(clients[i].thread, NULL);
  long requests = clients[0].requests + clients[1].requests; // NORACE
  return requests == 6 && gauges.opened == 6 ? 0 : 1;        // NORACE
}
