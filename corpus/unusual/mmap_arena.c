// Arenas from mmap, one for each request, made and unmapped by several threads: the kernel gives
// the same addresses again and again, to whichever thread comes next.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { kThreads = 3, kArena = 16 * 4096 };

struct arena {
  size_t used;
  char bytes[];
};

static int rounds = 2000;
static atomic_long checksum;

static struct arena* make_arena(void) {
  struct arena* arena =
      mmap(NULL, kArena, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(arena != MAP_FAILED);
  assert(arena->used == 0);
  arena->used = sizeof *arena;
  return arena;
}

static void* allocate(struct arena* arena, size_t size) {
  char* place = (char*)arena + arena->used;
  arena->used += (size + 15) / 16 * 16;
  assert(arena->used <= kArena);
  return place;
}

static long handle_request(int number) {
  struct arena* arena = make_arena();
  long sum = 0;
  int** rows = allocate(arena, 8 * sizeof *rows);
  for (int i = 0; i < 8; ++i) {
    rows[i] = allocate(arena, 32 * sizeof **rows);
    for (int j = 0; j < 32; ++j)
      assert(rows[i][j] == 0);
    rows[i][i] = number;
  }
  for (int i = 0; i < 8; ++i)
    sum += rows[i][i];
  munmap(arena, kArena);
  return sum;
}

static void* serve(void* argument) {
  (void)argument;
  for (int i = 1; i <= rounds; ++i)
    atomic_fetch_add(&checksum, handle_request(i));
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, serve, NULL);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  assert(checksum == 8L * kThreads * rounds * (rounds + 1) / 2);
  return 0;
}
