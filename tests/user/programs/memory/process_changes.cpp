// Correct only if what a run changes is not seen by the next one. argv[1]: what.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <signal.h>
#include <string>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
std::atomic<int> n{0};
int main(int c, char** v) {
  std::string k = v[1];
  std::thread t([] { n++; }), u([] { n++; });
  if (k == "rlimit") {
    rlimit l;
    getrlimit(RLIMIT_CORE, &l);
    static char b[16];
    getrlimit(RLIMIT_NOFILE, &l);
    assert(l.rlim_cur > 100);
    l.rlim_cur = 50;
    assert(!prlimit(0, RLIMIT_NOFILE, &l, nullptr));
  }
  if (k == "umask") {
    mode_t o = umask(0);
    assert(o != 0);
  }
  if (k == "umask_raw") {
    long o;
    asm volatile("syscall" : "=a"(o) : "a"(SYS_umask), "D"(0) : "rcx", "r11", "memory");
    assert(o != 0);
  }
  if (k == "chdir") {
    char b[4096];
    assert(getcwd(b, 4096));
    assert(strcmp(b, "/") != 0);
    assert(!chdir("/"));
  }
  if (k == "nnp") {
    assert(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
    assert(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  }
  if (k == "nnp_syscall") {
    assert(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
    assert(!syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  }
  if (k == "nice") {
    assert(getpriority(PRIO_PROCESS, 0) == 0);
    assert(!setpriority(PRIO_PROCESS, 0, 5));
  }
  if (k == "name") {
    char b[16];
    prctl(PR_GET_NAME, b);
    assert(strcmp(b, "renamed") != 0);
    prctl(PR_SET_NAME, "renamed");
    prctl(PR_GET_NAME, b);
    assert(!strcmp(b, "renamed"));
  }
  if (k == "affinity") {
    cpu_set_t s;
    sched_getaffinity(0, sizeof s, &s);
    assert(CPU_COUNT(&s) > 1);
    CPU_ZERO(&s);
    CPU_SET(0, &s);
    assert(!sched_setaffinity(0, sizeof s, &s));
  }
  if (k == "personality") {
    assert(!(personality(0xffffffff) & ADDR_COMPAT_LAYOUT));
    personality(personality(0xffffffff) | ADDR_COMPAT_LAYOUT);
  }
  if (k == "setsid") {
    assert(getsid(0) != getpid());
    setsid();
  }
  if (k == "setuid") {
    assert(getuid() == 0);
    assert(!setresuid(65534, 65534, 0));
  }
  if (k == "mlockall") {
    mlockall(MCL_CURRENT);
  }
  t.join();
  u.join();
  assert(n == 2);
}
