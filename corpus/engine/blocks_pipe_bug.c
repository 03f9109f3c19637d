// A producer hands blocks to a consumer through a pipe that holds one block, so that write() blocks
// until the consumer has read. The producer counts a block as queued after it has written it; the
// consumer can read it before that and the count becomes negative.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { blockSize = 4096, blockCount = 3 };

static int blocks[2];
static atomic_int queued;

static void *produce(void *argument) {
  (void)argument;
  char block[blockSize];
  for (int i = 0; i < blockCount; ++i) {
    memset(block, 'a' + i, sizeof block);
    ssize_t written = write(blocks[1], block, sizeof block);
    assert(written == blockSize);
    atomic_fetch_add(&queued, 1);
  }
  return NULL;
}

static void *consume(void *argument) {
  (void)argument;
  char block[blockSize];
  for (int i = 0; i < blockCount; ++i) {
    ssize_t got = read(blocks[0], block, sizeof block);
    assert(got == blockSize && block[0] == 'a' + i);
    int left = atomic_fetch_sub(&queued, 1) - 1;
    assert(left >= 0); // EXPECT: assertion
  }
  return NULL;
}

int main(void) {
  int status = pipe(blocks);
  assert(status == 0);
  status = fcntl(blocks[1], F_SETPIPE_SZ, blockSize);
  assert(status == blockSize);
  pthread_t producer;
  pthread_t consumer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  assert(atomic_load(&queued) == 0);
  close(blocks[0]);
  close(blocks[1]);
  return 0;
}
