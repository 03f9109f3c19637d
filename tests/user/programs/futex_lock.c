/* A library that heddle does not see: its lock and its gate are futexes, by libc's syscall() or,
   with -DINLINE, by an instruction of its own. */
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static long futex(int *word, int operation, int value) {
#ifdef INLINE
  long result;
  register long fourth __asm__("r10") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"((long)SYS_futex), "D"(word), "S"((long)operation), "d"((long)value),
                     "r"(fourth)
                   : "rcx", "r11", "memory");
  return result;
#else
  return syscall(SYS_futex, word, operation, value, NULL);
#endif
}

static int state; /* 0: free, 1: taken, 2: taken and waited for */

void futex_lock(void) {
  int seen = 0;
  if (__atomic_compare_exchange_n(&state, &seen, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  while (__atomic_exchange_n(&state, 2, __ATOMIC_ACQUIRE) != 0)
    futex(&state, FUTEX_WAIT_PRIVATE, 2);
}

void futex_unlock(void) {
  if (__atomic_exchange_n(&state, 0, __ATOMIC_RELEASE) == 2)
    futex(&state, FUTEX_WAKE_PRIVATE, 1);
}

static int open_gate;

void futex_open(void) {
  __atomic_store_n(&open_gate, 1, __ATOMIC_RELEASE);
  futex(&open_gate, FUTEX_WAKE_PRIVATE, 1000);
}

void futex_pass(void) {
  while (!__atomic_load_n(&open_gate, __ATOMIC_ACQUIRE))
    futex(&open_gate, FUTEX_WAIT_PRIVATE, 0);
}
