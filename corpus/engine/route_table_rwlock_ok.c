// A routing table behind a pthread read-write lock. Looking a route up takes the lock for reading;
// counting the hit, which writes to the table, takes it for writing.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

struct Route {
  int prefix;
  int hits;
};

static pthread_rwlock_t tableLock = PTHREAD_RWLOCK_INITIALIZER;
static struct Route routes[] = {{10, 0}, {172, 0}, {192, 0}};

static struct Route *find(int prefix) {
  for (int i = 0; i < 3; ++i)
    if (routes[i].prefix == prefix)
      return &routes[i];
  return NULL;
}

static int known(int prefix) {
  pthread_rwlock_rdlock(&tableLock);
  int result = find(prefix) != NULL;
  pthread_rwlock_unlock(&tableLock);
  return result;
}

static int forward(int prefix) {
  if (!known(prefix))
    return 0;
  pthread_rwlock_wrlock(&tableLock);
  find(prefix)->hits++; // NORACE
  pthread_rwlock_unlock(&tableLock);
  return 1;
}

static void *forwardPackets(void *argument) {
  (void)argument;
  assert(forward(10));
  assert(forward(192));
  return NULL;
}

int main(void) {
  pthread_t ports[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&ports[i], NULL, forwardPackets, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_join(ports[i], NULL);
  assert(routes[0].hits == 2);
  assert(routes[2].hits == 2);
  return 0;
}
