// heddle-corpus: flags=-lck short=50
// Concurrency Kit: rings from one thread to the next, MCS and ticket locks, a stack without locks
// and sequence locks. Its atomic operations are inline assembly in headers.
#include <assert.h>
#include <ck_pr.h>
#include <ck_ring.h>
#include <ck_sequence.h>
#include <ck_spinlock.h>
#include <ck_stack.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { kRing = 64, kWorkers = 2 };

struct job {
  long number;
  ck_stack_entry_t entry;
};
CK_STACK_CONTAINER(struct job, entry, job_of)

struct line {
  ck_ring_t ring;
  ck_ring_buffer_t slots[kRing];
};

static struct line lines[kWorkers];
static ck_stack_t done = CK_STACK_INITIALIZER;
static ck_spinlock_ticket_t ticket = CK_SPINLOCK_TICKET_INITIALIZER;
static ck_spinlock_mcs_t mcs = NULL;
static long by_ticket, by_mcs;
static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static uint64_t left, right;
static unsigned finished;
static int rounds = 3000;

static void* produce(void* argument) {
  (void)argument;
  for (long i = 0; i < rounds; ++i) {
    struct line* line = &lines[i % kWorkers];
    struct job* job = malloc(sizeof *job);
    job->number = i;
    while (!ck_ring_enqueue_spsc(&line->ring, line->slots, job))
      sched_yield();
    ck_sequence_write_begin(&sequence);
    ck_pr_store_64(&left, (uint64_t)i);
    ck_pr_store_64(&right, (uint64_t)i + 1);
    ck_sequence_write_end(&sequence);
  }
  ck_pr_store_uint(&finished, 1);
  return NULL;
}

static void count(struct job* job) {
  struct ck_spinlock_mcs node;
  ck_spinlock_ticket_lock(&ticket);
  ++by_ticket;
  ck_spinlock_ticket_unlock(&ticket);
  ck_spinlock_mcs_lock(&mcs, &node);
  by_mcs += job->number;
  ck_spinlock_mcs_unlock(&mcs, &node);
  ck_stack_push_mpmc(&done, &job->entry);
}

static void check_pair(void) {
  unsigned version;
  uint64_t l, r;
  do {
    version = ck_sequence_read_begin(&sequence);
    l = ck_pr_load_64(&left);
    r = ck_pr_load_64(&right);
  } while (ck_sequence_read_retry(&sequence, version));
  assert((l == 0 && r == 0) || r == l + 1);
}

static void* consume(void* argument) {
  struct line* line = argument;
  for (;;) {
    unsigned last = ck_pr_load_uint(&finished);
    void* job;
    ck_pr_fence_load();
    if (ck_ring_dequeue_spsc(&line->ring, line->slots, &job))
      count(job);
    else if (last)
      return NULL;
    else
      sched_yield();
    check_pair();
  }
}

int main(int argc, char** argv) {
  pthread_t producer, workers[kWorkers];
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (int i = 0; i < kWorkers; ++i)
    ck_ring_init(&lines[i].ring, kRing);
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 0; i < kWorkers; ++i)
    pthread_create(&workers[i], NULL, consume, &lines[i]);
  pthread_join(producer, NULL);
  for (int i = 0; i < kWorkers; ++i)
    pthread_join(workers[i], NULL);
  long jobs = 0;
  ck_stack_entry_t* entry;
  while ((entry = ck_stack_pop_npsc(&done)) != NULL) {
    free(job_of(entry));
    ++jobs;
  }
  assert(jobs == rounds && by_ticket == rounds);
  assert(by_mcs == (long)rounds * (rounds - 1) / 2);
}
