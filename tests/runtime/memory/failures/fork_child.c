// A child of the program's own fork is not controlled: it fails as it would without us.
// RESTORABLE: no
// EXPECT: finished 0
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int status = 0;
  if (fork() == 0)
    abort();
  wait(&status);
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
    return 1;
  if (fork() == 0)
    exit(33);
  wait(&status);
  if (WEXITSTATUS(status) != 33)
    return 2;
  if (fork() == 0)
    *(volatile int*)0 = 1;
  wait(&status);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV ? 0 : 3;
}
