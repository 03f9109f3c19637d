#include <cassert>
#include <cerrno>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
// Correct: getpgid works before the filter and is refused behind it.
int main() {
  assert(syscall(SYS_getpgid, 0) >= 0);
  std::thread t([] {});
  t.join();
  sock_filter f[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
                     BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgid, 0, 1),
                     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
                     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog p{4, f};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  assert(!prctl(PR_SET_SECCOMP, 2, &p));
  assert(syscall(SYS_getpgid, 0) < 0);
}
