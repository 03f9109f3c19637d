// The program expects the fault and goes on: no failure.
// EXPECT: finished 5
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf back;

static void recover(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

static void* nothing(void* argument) { return argument; }

int main(void) {
  signal(SIGSEGV, recover);
  for (int i = 0; i < 3; ++i) {
    if (sigsetjmp(back, 1) == 0)
      *(volatile int*)8 = 1;
    pthread_t thread;
    pthread_create(&thread, 0, nothing, 0);
    pthread_join(thread, 0);
  }
  return 5;
}
