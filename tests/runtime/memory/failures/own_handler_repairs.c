// A handler that makes the page accessible and returns: the instruction is executed again.
// RESTORABLE: no
// EXPECT: finished 7
#include <signal.h>
#include <sys/mman.h>

static char* page;

static void repair(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)context;
  if ((char*)info->si_addr == page + 100)
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

int main(void) {
  page = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction action = {0};
  action.sa_sigaction = repair;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, 0);
  *(volatile char*)(page + 100) = 7;
  return page[100];
}
