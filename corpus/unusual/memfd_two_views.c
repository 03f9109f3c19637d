// One object at two addresses: a writer has a writable mapping of a memfd, readers a read-only one.
// A mutex in the writable view guards the data; the readers lock it there, too, and read in their
// view.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kReaders = 2 };

struct page {
  pthread_mutex_t mutex;
  long first, second;
};

static struct page* writable;
static const struct page* readable;
static int rounds = 15000;

static void* read_view(void* argument) {
  long last = 0;
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&writable->mutex);
    assert(readable->first == readable->second);
    assert(readable->first >= last);
    last = readable->first;
    pthread_mutex_unlock(&writable->mutex);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t readers[kReaders];
  int descriptor = memfd_create("page", MFD_CLOEXEC);
  if (argc > 1)
    rounds = atoi(argv[1]);
  assert(descriptor >= 0 && ftruncate(descriptor, 4096) == 0);
  writable = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  readable = mmap(NULL, 4096, PROT_READ, MAP_SHARED, descriptor, 0);
  assert(writable != MAP_FAILED && readable != MAP_FAILED);
  pthread_mutex_init(&writable->mutex, NULL);
  for (int i = 0; i < kReaders; ++i)
    pthread_create(&readers[i], NULL, read_view, NULL);
  for (int i = 1; i <= rounds; ++i) {
    pthread_mutex_lock(&writable->mutex);
    writable->first = i;
    writable->second = i;
    pthread_mutex_unlock(&writable->mutex);
  }
  for (int i = 0; i < kReaders; ++i)
    pthread_join(readers[i], NULL);
  assert(readable->first == rounds);
  pthread_mutex_destroy(&writable->mutex);
  munmap((void*)readable, 4096);
  munmap(writable, 4096);
  close(descriptor);
  return 0;
}
