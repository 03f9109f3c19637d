// Address space that is reserved once, and slots in it that are mapped and discarded at fixed
// places: a slot changes hands only through the mutex of the free list, and is always empty when it
// comes.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { kThreads = 3, kSlots = 4, kSlot = 4 * 4096 };

static char* base;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static int free_slots[kSlots];
static int free_count = kSlots;
static int rounds = 1500;

static int acquire_slot(void) {
  pthread_mutex_lock(&mutex);
  while (free_count == 0)
    pthread_cond_wait(&released, &mutex);
  int slot = free_slots[--free_count];
  pthread_mutex_unlock(&mutex);
  void* place = mmap(base + (size_t)slot * kSlot, kSlot, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  assert(place == base + (size_t)slot * kSlot);
  return slot;
}

static void release_slot(int slot, int discard) {
  char* place = base + (size_t)slot * kSlot;
  if (discard)
    assert(madvise(place, kSlot, MADV_DONTNEED) == 0);
  else
    assert(mmap(place, kSlot, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == place);
  pthread_mutex_lock(&mutex);
  free_slots[free_count++] = slot;
  pthread_cond_signal(&released);
  pthread_mutex_unlock(&mutex);
}

static void* use_slots(void* argument) {
  (void)argument;
  for (int i = 1; i <= rounds; ++i) {
    int slot = acquire_slot();
    int* values = (int*)(base + (size_t)slot * kSlot);
    for (int j = 0; j < kSlot / 4; j += 512) {
      assert(values[j] == 0);
      values[j] = i;
    }
    release_slot(slot, i % 2);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  if (argc > 1)
    rounds = atoi(argv[1]);
  base = mmap(NULL, (size_t)kSlots * kSlot, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(base != MAP_FAILED);
  for (int i = 0; i < kSlots; ++i)
    free_slots[i] = i;
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, use_slots, NULL);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  assert(free_count == kSlots);
  munmap(base, (size_t)kSlots * kSlot);
  return 0;
}
