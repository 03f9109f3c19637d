// heddle-corpus: flags=-lurcu-memb,-lurcu-common
// Userspace RCU (liburcu): registered readers go through a pointer, an updater replaces what it
// points to and waits for the grace period in the library.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define RCU_MEMBARRIER
#include <urcu.h>

enum { kReaders = 2 };

struct settings {
  int version;
  int check;
};

static struct settings* current;
static int rounds = 20000;

static void* read_settings(void* argument) {
  int last = 0;
  (void)argument;
  rcu_register_thread();
  for (int i = 0; i < rounds; ++i) {
    rcu_read_lock();
    struct settings* settings = rcu_dereference(current);
    assert(settings->check == ~settings->version);
    assert(settings->version >= last);
    last = settings->version;
    rcu_read_unlock();
  }
  rcu_unregister_thread();
  return NULL;
}

static struct settings* make(int version) {
  struct settings* settings = malloc(sizeof *settings);
  settings->version = version;
  settings->check = ~version;
  return settings;
}

int main(int argc, char** argv) {
  pthread_t readers[kReaders];
  if (argc > 1)
    rounds = atoi(argv[1]);
  current = make(0);
  for (int i = 0; i < kReaders; ++i)
    pthread_create(&readers[i], NULL, read_settings, NULL);
  for (int version = 1; version <= rounds / 1000 + 1; ++version) {
    struct settings* old = current;
    rcu_assign_pointer(current, make(version));
    synchronize_rcu();
    old->check = 0;
    free(old);
  }
  for (int i = 0; i < kReaders; ++i)
    pthread_join(readers[i], NULL);
  assert(current->version == rounds / 1000 + 1);
  free(current);
  return 0;
}
