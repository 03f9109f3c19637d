// A routing table behind a pthread read-write lock. Forwarding a packet only looks routes up, so it
// takes the lock for reading, but it also counts the hit: two readers write at once, and a hit is
// lost.
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

static int forward(int prefix) {
  pthread_rwlock_rdlock(&tableLock);
  struct Route *route = find(prefix);
  if (route)
    route->hits++; // RACE!
  pthread_rwlock_unlock(&tableLock);
  return route != NULL;
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
  assert(routes[0].hits == 2); // EXPECT: assertion
  assert(routes[2].hits == 2); // EXPECT: assertion
  return 0;
}
