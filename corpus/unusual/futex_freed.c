// Requests that are freed by whoever has waited for them: the worker marks one as done and then
// wakes the waiter by a futex call, for which only the address counts. The waiter may have seen the
// mark and freed the request before the call is made; that is allowed, as it is in every unlock by
// a futex.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kClients = 2 };

struct request {
  atomic_int done;
  long value;
};

static _Atomic(struct request*) inbox[kClients];
static atomic_int ended;
static int rounds = 4000;

static void futex_wait(atomic_int* word, int expected) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

static void futex_wake(atomic_int* word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void* serve(void* argument) {
  (void)argument;
  while (atomic_load(&ended) < kClients)
    for (int i = 0; i < kClients; ++i) {
      struct request* request = atomic_exchange(&inbox[i], NULL);
      if (!request)
        continue;
      request->value *= 2;
      atomic_store(&request->done, 1);
      futex_wake(&request->done);
    }
  return NULL;
}

static void* ask(void* argument) {
  size_t self = (size_t)argument;
  for (int i = 0; i < rounds; ++i) {
    struct request* request = malloc(sizeof *request);
    atomic_init(&request->done, 0);
    request->value = i;
    atomic_store(&inbox[self], request);
    while (!atomic_load(&request->done))
      futex_wait(&request->done, 0);
    assert(request->value == 2L * i);
    free(request);
  }
  atomic_fetch_add(&ended, 1);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t server, clients[kClients];
  if (argc > 1)
    rounds = atoi(argv[1]);
  pthread_create(&server, NULL, serve, NULL);
  for (size_t i = 0; i < kClients; ++i)
    pthread_create(&clients[i], NULL, ask, (void*)i);
  for (int i = 0; i < kClients; ++i)
    pthread_join(clients[i], NULL);
  pthread_join(server, NULL);
  return 0;
}
