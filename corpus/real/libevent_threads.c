// heddle-corpus: flags=-levent,-levent_pthreads
// libevent with evthread_use_pthreads: an event loop in a thread of its own, events that two other
// threads make active, and a pair of buffer events over a socket pair.
#include <assert.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/thread.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kSenders = 2 };

static struct event_base* base;
static struct event* kicked;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long posted, handled;
static size_t expected_bytes, received_bytes;
static int senders_left = kSenders;
static struct bufferevent* writer;
static int rounds = 2000;

static void stop_when_done(void) {
  pthread_mutex_lock(&mutex);
  int done = senders_left == 0 && handled == posted && received_bytes == expected_bytes;
  pthread_mutex_unlock(&mutex);
  if (done)
    event_base_loopbreak(base);
}

static void on_kick(evutil_socket_t descriptor, short what, void* argument) {
  (void)descriptor, (void)what, (void)argument;
  pthread_mutex_lock(&mutex);
  handled = posted;
  pthread_mutex_unlock(&mutex);
  stop_when_done();
}

static void on_read(struct bufferevent* reader, void* argument) {
  char bytes[256];
  size_t got;
  (void)argument;
  while ((got = bufferevent_read(reader, bytes, sizeof bytes)) > 0) {
    pthread_mutex_lock(&mutex);
    received_bytes += got;
    pthread_mutex_unlock(&mutex);
  }
  stop_when_done();
}

static void* loop(void* argument) {
  (void)argument;
  event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY);
  return NULL;
}

static void* notify(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&mutex);
    ++posted;
    expected_bytes += 5;
    pthread_mutex_unlock(&mutex);
    bufferevent_write(writer, "hello", 5);
    if (i % 4 == 0)
      event_active(kicked, EV_READ, 1);
  }
  pthread_mutex_lock(&mutex);
  --senders_left;
  pthread_mutex_unlock(&mutex);
  event_active(kicked, EV_READ, 1);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t looper, senders[kSenders];
  int sockets[2];
  if (argc > 1)
    rounds = atoi(argv[1]);
  assert(evthread_use_pthreads() == 0);
  base = event_base_new();
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  evutil_make_socket_nonblocking(sockets[0]);
  evutil_make_socket_nonblocking(sockets[1]);
  int options = BEV_OPT_CLOSE_ON_FREE | BEV_OPT_THREADSAFE;
  writer = bufferevent_socket_new(base, sockets[0], options);
  struct bufferevent* reader = bufferevent_socket_new(base, sockets[1], options);
  bufferevent_setcb(reader, on_read, NULL, NULL, NULL);
  bufferevent_enable(reader, EV_READ);
  bufferevent_enable(writer, EV_WRITE);
  kicked = event_new(base, -1, EV_PERSIST | EV_READ, on_kick, NULL);
  event_add(kicked, NULL);
  pthread_create(&looper, NULL, loop, NULL);
  for (int i = 0; i < kSenders; ++i)
    pthread_create(&senders[i], NULL, notify, NULL);
  for (int i = 0; i < kSenders; ++i)
    pthread_join(senders[i], NULL);
  pthread_join(looper, NULL);
  assert(handled == (long)kSenders * rounds && received_bytes == 5u * kSenders * (size_t)rounds);
  event_free(kicked);
  bufferevent_free(reader);
  bufferevent_free(writer);
  event_base_free(base);
  return 0;
}
