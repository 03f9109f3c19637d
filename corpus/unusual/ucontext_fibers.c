// Green threads by makecontext and swapcontext: each worker thread runs a scheduler of its own that
// goes round its fibers; fibers of all workers share a table behind a mutex.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

enum { kWorkers = 2, kFibers = 4, kStack = 64 * 1024 };

struct fiber {
  ucontext_t context;
  ucontext_t* scheduler;
  char* stack;
  int left;
  int done;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long total;
static int rounds = 4000;

static void yield_fiber(struct fiber* fiber) { swapcontext(&fiber->context, fiber->scheduler); }

static void run_fiber(unsigned high, unsigned low) {
  struct fiber* fiber = (struct fiber*)(((size_t)high << 32) | low);
  while (fiber->left > 0) {
    pthread_mutex_lock(&mutex);
    ++total;
    pthread_mutex_unlock(&mutex);
    --fiber->left;
    yield_fiber(fiber);
  }
  fiber->done = 1;
}

static void start_fiber(struct fiber* fiber, ucontext_t* scheduler) {
  size_t address = (size_t)fiber;
  fiber->scheduler = scheduler;
  fiber->left = rounds;
  fiber->done = 0;
  fiber->stack = malloc(kStack);
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->stack;
  fiber->context.uc_stack.ss_size = kStack;
  fiber->context.uc_link = scheduler;
  makecontext(&fiber->context, (void (*)(void))run_fiber, 2, (unsigned)(address >> 32),
              (unsigned)address);
}

static void* schedule(void* argument) {
  ucontext_t scheduler;
  struct fiber fibers[kFibers];
  int running = kFibers;
  (void)argument;
  for (int i = 0; i < kFibers; ++i)
    start_fiber(&fibers[i], &scheduler);
  while (running > 0)
    for (int i = 0; i < kFibers; ++i) {
      if (fibers[i].done)
        continue;
      swapcontext(&scheduler, &fibers[i].context);
      if (fibers[i].done)
        --running;
    }
  for (int i = 0; i < kFibers; ++i)
    free(fibers[i].stack);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t workers[kWorkers];
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (int i = 0; i < kWorkers; ++i)
    pthread_create(&workers[i], NULL, schedule, NULL);
  for (int i = 0; i < kWorkers; ++i)
    pthread_join(workers[i], NULL);
  assert(total == (long)kWorkers * kFibers * rounds);
  return 0;
}
