// A write barrier as garbage collectors have it: a page is write-protected after each use, and the
// handler of the fault opens it again for the thread that holds the lock.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum { kPage = 4096, kThreads = 2, kRounds = 20 };

static char* page;
static atomic_int faults;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void openPage(int number, siginfo_t* info, void* context) {
  (void)context;
  char* address = info->si_addr;
  if (address < page || address >= page + kPage) {
    signal(number, SIG_DFL);
    return;
  }
  atomic_fetch_add(&faults, 1);
  mprotect(page, kPage, PROT_READ | PROT_WRITE);
}

static void* count(void* slot) {
  for (int i = 0; i < kRounds; ++i) {
    pthread_mutex_lock(&mutex);
    ++page[(long)slot];
    mprotect(page, kPage, PROT_READ);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  page = mmap(NULL, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(page != MAP_FAILED);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = openPage;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, NULL);
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, count, (void*)i);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < kThreads; ++i)
    assert(page[i] == kRounds);
  assert(atomic_load(&faults) == kThreads * kRounds);
  return 0;
}
