// Threads with stacks that the program made, or sized, small ones, and a recursion that uses
// most of them: a depth-first search whose counters are shared behind a mutex.
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kThreads = 4, kDepth = 40, kStack = 64 * 1024 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long visited;
static int rounds = 300;

static unsigned long search(int depth, unsigned long key) {
  char name[512];
  for (unsigned i = 0; i < sizeof name; i += 64)
    name[i] = (char)(key + i);
  if (depth == 0) {
    pthread_mutex_lock(&mutex);
    ++visited;
    pthread_mutex_unlock(&mutex);
    return key;
  }
  unsigned long found = search(depth - 1, key * 31 + 7);
  return found + (unsigned char)name[(key % 8) * 64] * 0;
}

static void* run(void* argument) {
  pthread_attr_t attributes;
  void* low;
  size_t size;
  char here;
  assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
  assert(pthread_attr_getstack(&attributes, &low, &size) == 0);
  assert(&here > (char*)low && &here < (char*)low + size);
  pthread_attr_destroy(&attributes);
  unsigned long key = 0;
  for (int i = 0; i < rounds; ++i)
    key ^= search(kDepth, (unsigned long)i);
  *(unsigned long*)argument = key;
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  unsigned long keys[kThreads];
  char* stacks = mmap(NULL, (size_t)kThreads * kStack, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (argc > 1)
    rounds = atoi(argv[1]);
  assert(stacks != MAP_FAILED);
  for (int i = 0; i < kThreads; ++i) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (i % 2)
      assert(pthread_attr_setstack(&attributes, stacks + (size_t)i * kStack, kStack) == 0);
    else
      assert(pthread_attr_setstacksize(&attributes, kStack) == 0);
    assert(pthread_create(&threads[i], &attributes, run, &keys[i]) == 0);
    pthread_attr_destroy(&attributes);
  }
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  for (int i = 1; i < kThreads; ++i)
    assert(keys[i] == keys[0]);
  assert(visited == (long)kThreads * rounds);
  munmap(stacks, (size_t)kThreads * kStack);
  return 0;
}
