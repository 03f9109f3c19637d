// A byte ring that is mapped twice in a row, so that a message is never cut in two: what is written
// behind the end appears at the beginning. One producer, one consumer, C11 atomics for the ends.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kSize = 4096 };

static char* ring;
static atomic_size_t head, tail;
static int rounds = 30000;

static char* map_twice(void) {
  int descriptor = memfd_create("ring", MFD_CLOEXEC);
  assert(descriptor >= 0 && ftruncate(descriptor, kSize) == 0);
  char* base = mmap(NULL, 2 * kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 2; ++i)
    assert(mmap(base + i * kSize, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
                0) == base + i * kSize);
  close(descriptor);
  return base;
}

static void* produce(void* argument) {
  char message[60];
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    size_t length = 1 + (size_t)i % (sizeof message - 1);
    size_t end = atomic_load_explicit(&tail, memory_order_relaxed);
    while (kSize - (end - atomic_load_explicit(&head, memory_order_acquire)) < length + 1)
      sched_yield();
    char* place = ring + end % kSize;
    place[0] = (char)length;
    memset(message, (char)i, length);
    memcpy(place + 1, message, length);
    atomic_store_explicit(&tail, end + length + 1, memory_order_release);
  }
  return NULL;
}

static void consume(int number) {
  size_t begin = atomic_load_explicit(&head, memory_order_relaxed);
  while (atomic_load_explicit(&tail, memory_order_acquire) == begin)
    sched_yield();
  const char* place = ring + begin % kSize;
  size_t length = (size_t)place[0];
  assert(length == 1 + (size_t)number % 59);
  for (size_t i = 1; i <= length; ++i)
    assert(place[i] == (char)number);
  atomic_store_explicit(&head, begin + length + 1, memory_order_release);
}

int main(int argc, char** argv) {
  pthread_t producer;
  if (argc > 1)
    rounds = atoi(argv[1]);
  ring = map_twice();
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 0; i < rounds; ++i)
    consume(i);
  pthread_join(producer, NULL);
  assert(head == tail);
  munmap(ring, 2 * kSize);
  return 0;
}
