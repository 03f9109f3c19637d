// A buffer that goes back and forth between two threads; whose turn it is is told by two eventfds,
// and nothing else orders the accesses to the buffer.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int filled, emptied;
static int rounds = 8000;
static char buffer[64];
static long consumed;

static void signal_event(int descriptor) {
  uint64_t one = 1;
  assert(write(descriptor, &one, sizeof one) == sizeof one);
}

static void wait_event(int descriptor) {
  uint64_t count = 0;
  assert(read(descriptor, &count, sizeof count) == sizeof count);
  assert(count == 1);
}

static void* consume(void* argument) {
  (void)argument;
  for (int i = 0; i < rounds; ++i) {
    wait_event(filled);
    for (size_t j = 0; j < sizeof buffer; ++j)
      assert(buffer[j] == (char)i);
    consumed += buffer[0];
    memset(buffer, 0, sizeof buffer);
    signal_event(emptied);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t consumer;
  long produced = 0;
  if (argc > 1)
    rounds = atoi(argv[1]);
  filled = eventfd(0, 0);
  emptied = eventfd(0, 0);
  assert(filled >= 0 && emptied >= 0);
  pthread_create(&consumer, NULL, consume, NULL);
  for (int i = 0; i < rounds; ++i) {
    memset(buffer, (char)i, sizeof buffer);
    produced += (char)i;
    signal_event(filled);
    wait_event(emptied);
    assert(buffer[0] == 0);
  }
  pthread_join(consumer, NULL);
  assert(produced == consumed);
  close(filled);
  close(emptied);
  return 0;
}
