// heddle-corpus: flags=-ljemalloc short=50
// jemalloc beside the program's malloc: two arenas of its own (mallctl), blocks that one thread
// allocates and another one frees, explicit thread caches.
#include <assert.h>
#include <jemalloc/jemalloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kSlots = 32, kThreads = 4 };

static pthread_mutex_t mutexes[kSlots];
static char* slots[kSlots];
static size_t sizes[kSlots];
static int rounds = 5000;

static void check(const char* block, size_t size) {
  for (size_t i = 0; i < size; i += 16)
    assert(block[i] == (char)size);
}

static void* exchange(void* argument) {
  unsigned seed = (unsigned)(size_t)argument * 7919 + 1, arena;
  size_t length = sizeof arena;
  assert(mallctl("arenas.create", &arena, &length, NULL, 0) == 0);
  for (int i = 0; i < rounds; ++i) {
    seed = seed * 1664525 + 1013904223;
    size_t size = 16 + seed % 2000, old_size;
    int slot = seed / 4096 % kSlots;
    char *block = mallocx(size, MALLOCX_ARENA(arena) | MALLOCX_TCACHE_NONE), *old;
    memset(block, (char)size, size);
    pthread_mutex_lock(&mutexes[slot]);
    old = slots[slot], old_size = sizes[slot];
    slots[slot] = block, sizes[slot] = size;
    pthread_mutex_unlock(&mutexes[slot]);
    if (old) {
      check(old, old_size);
      dallocx(old, 0);
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (int i = 0; i < kSlots; ++i)
    pthread_mutex_init(&mutexes[i], NULL);
  for (size_t i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, exchange, (void*)i);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < kSlots; ++i)
    if (slots[i]) {
      check(slots[i], sizes[i]);
      dallocx(slots[i], 0);
    }
}
