// Statistics of a packet path, which must never wait: it tries the lock and otherwise counts in a
// backlog of its own. The test has the wrong sense, as pthread_mutex_trylock returns 0 for success.
#include <pthread.h>
#include <stddef.h>

struct statistics {
  pthread_mutex_t mutex;
  long packets;
  long bytes;
};

struct port {
  pthread_t thread;
  long backlog;
};

static struct statistics statistics = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void count_packet(struct port *port, long size) {
  port->backlog++; // NORACE
  if (pthread_mutex_trylock(&statistics.mutex)) {
    statistics.packets += port->backlog; // RACE!
    statistics.bytes += size;            // RACE!
    port->backlog = 0;                   // NORACE
  } else {
    pthread_mutex_unlock(&statistics.mutex);
  }
}

static long read_packets(void) {
  pthread_mutex_lock(&statistics.mutex);
  long packets = statistics.packets; // RACE!
  pthread_mutex_unlock(&statistics.mutex);
  return packets;
}

static void *run_port(void *argument) {
  struct port *port = argument;
  for (int i = 0; i < 400; ++i) {
    count_packet(port, 64);
    if (i % 4 == 0 && read_packets() < 0)
      return argument;
  }
  return NULL;
}

int main(void) {
  static struct port ports[3];
  for (int i = 0; i < 3; ++i)
    pthread_create(&ports[i].thread, NULL, run_port, &ports[i]);
  for (int i = 0; i < 3; ++i)
    pthread_join(ports[i].thread, NULL);
  long left = 0;
  for (int i = 0; i < 3; ++i)
    left += ports[i].backlog; // NORACE
  return statistics.packets + left <= 1200 ? 0 : 1;
}
