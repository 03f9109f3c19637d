// Green threads that wander: ready fibers are in one queue behind a mutex, and any of three threads
// takes the next and runs it until it yields. A fiber yields outside of the lock, and is put back
// only after its context is saved.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

enum { kThreads = 3, kFibers = 5, kStack = 64 * 1024 };

struct fiber {
  ucontext_t context;
  ucontext_t* back;
  char stack[kStack];
  struct fiber* next;
  int left;
  long sum;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct fiber* first;
static struct fiber* last;
static int alive = kFibers;
static int rounds = 4000;

static void put(struct fiber* fiber) {
  fiber->next = NULL;
  pthread_mutex_lock(&mutex);
  if (first)
    last->next = fiber;
  else
    first = fiber;
  last = fiber;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static struct fiber* take(void) {
  pthread_mutex_lock(&mutex);
  while (!first && alive > 0)
    pthread_cond_wait(&changed, &mutex);
  struct fiber* fiber = first;
  if (fiber)
    first = fiber->next;
  pthread_mutex_unlock(&mutex);
  return fiber;
}

static void bury(void) {
  pthread_mutex_lock(&mutex);
  --alive;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void run_fiber(unsigned high, unsigned low) {
  struct fiber* fiber = (struct fiber*)(((size_t)high << 32) | low);
  for (; fiber->left > 0; --fiber->left) {
    fiber->sum += fiber->left;
    swapcontext(&fiber->context, fiber->back);
  }
  fiber->left = -1;
  setcontext(fiber->back);
}

static void* run_thread(void* argument) {
  ucontext_t here;
  (void)argument;
  for (struct fiber* fiber; (fiber = take());) {
    fiber->back = &here;
    swapcontext(&here, &fiber->context);
    if (fiber->left < 0)
      bury();
    else
      put(fiber);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  struct fiber* fibers = calloc(kFibers, sizeof *fibers);
  if (argc > 1)
    rounds = atoi(argv[1]);
  for (int i = 0; i < kFibers; ++i) {
    size_t address = (size_t)&fibers[i];
    fibers[i].left = rounds;
    getcontext(&fibers[i].context);
    fibers[i].context.uc_stack.ss_sp = fibers[i].stack;
    fibers[i].context.uc_stack.ss_size = kStack;
    makecontext(&fibers[i].context, (void (*)(void))run_fiber, 2, (unsigned)(address >> 32),
                (unsigned)address);
    put(&fibers[i]);
  }
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, run_thread, NULL);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < kFibers; ++i)
    assert(fibers[i].sum == (long)rounds * (rounds + 1) / 2);
  free(fibers);
  return 0;
}
