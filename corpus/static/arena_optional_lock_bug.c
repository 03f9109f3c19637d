// An arena that is told at its creation whether it needs its lock. Scratch arenas belong to one
// thread and do without. The arena of the names is shared, and was created as if it were not.
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct arena {
  pthread_mutex_t mutex;
  bool shared;
  size_t used;
  char bytes[256];
};

static struct arena *names;

static struct arena *arena_create(bool shared) {
  struct arena *arena = calloc(1, sizeof *arena);
  if (!arena)
    abort();
  pthread_mutex_init(&arena->mutex, NULL);
  arena->shared = shared;
  return arena;
}

static void arena_destroy(struct arena *arena) {
  pthread_mutex_destroy(&arena->mutex);
  free(arena);
}

static char *arena_take(struct arena *arena, size_t size) {
  char *bytes = NULL;
  if (arena->shared) // NORACE
    pthread_mutex_lock(&arena->mutex);
  if (arena->used + size <= sizeof arena->bytes) { // RACE!
    bytes = arena->bytes + arena->used;            // RACE!
    arena->used += size;                           // RACE!
  }
  if (arena->shared) // NORACE
    pthread_mutex_unlock(&arena->mutex);
  return bytes;
}

static void *parse(void *argument) {
  struct arena *scratch = arena_create(false);
  for (int i = 0; i < 3; ++i) {
    char *token = arena_take(scratch, 8);
    token[0] = 't';
    arena_take(names, 16);
  }
  arena_destroy(scratch);
  return argument;
}

int main(void) {
  pthread_t parsers[2];
  names = arena_create(false);
  for (int i = 0; i < 2; ++i)
    pthread_create(&parsers[i], NULL, parse, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_join(parsers[i], NULL);
  size_t used = names->used; // NORACE
  arena_destroy(names);
  return used <= 96 ? 0 : 1;
}
