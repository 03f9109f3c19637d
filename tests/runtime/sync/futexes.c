// The futex system call through libc's syscall(), and other calls that go that way.
#include "check.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

static long futex(uint32_t* word, int operation, uint32_t value, uintptr_t fourth, uint32_t* second,
                  uint32_t third) {
  return syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, fourth, second, third);
}

static void codes(void) {
  uint32_t word = 5;
  CHECK_ERRNO(futex(&word, FUTEX_WAIT, 4, 0, NULL, 0), EAGAIN);
  struct timespec span = {0, 5000000};
  long long start = nanosNow(CLOCK_MONOTONIC);
  CHECK_ERRNO(futex(&word, FUTEX_WAIT, 5, (uintptr_t)&span, NULL, 0), ETIMEDOUT);
  CHECK(nanosNow(CLOCK_MONOTONIC) - start >= 5000000);
  struct timespec soon = afterMillis(CLOCK_MONOTONIC, 5);
  CHECK_ERRNO(futex(&word, FUTEX_WAIT_BITSET, 5, (uintptr_t)&soon, NULL, 1), ETIMEDOUT);
  CHECK_ERRNO(futex(&word, FUTEX_WAIT_BITSET, 5, (uintptr_t)&soon, NULL, 1), ETIMEDOUT);
  soon = afterMillis(CLOCK_REALTIME, 5);
  start = nanosNow(CLOCK_REALTIME);
  CHECK_ERRNO(futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 5, (uintptr_t)&soon, NULL, 1),
              ETIMEDOUT);
  CHECK(nanosNow(CLOCK_REALTIME) - start >= 5000000);
  span.tv_nsec = 1000000000;
  CHECK_ERRNO(futex(&word, FUTEX_WAIT, 5, (uintptr_t)&span, NULL, 0), EINVAL);
  CHECK_ERRNO(futex(&word, FUTEX_WAIT_BITSET, 5, 0, NULL, 0), EINVAL);
  CHECK_EQ(futex(&word, FUTEX_WAKE, 1, 0, NULL, 0), 0);
  uint32_t other = 0;
  CHECK_ERRNO(futex(&word, FUTEX_CMP_REQUEUE, 1, 1, &other, 4), EAGAIN);
  CHECK_EQ(futex(&word, FUTEX_CMP_REQUEUE, 1, 1, &other, 5), 0);
}

static uint32_t gate, passed;

static void* passGate(void* argument) {
  while (__atomic_load_n(&gate, __ATOMIC_SEQ_CST) == 0)
    futex(&gate, FUTEX_WAIT, 0, 0, NULL, 0);
  __atomic_add_fetch(&passed, 1, __ATOMIC_SEQ_CST);
  return argument;
}

static void wakeAllWaiters(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, passGate, NULL);
  __atomic_store_n(&gate, 1, __ATOMIC_SEQ_CST);
  CHECK(futex(&gate, FUTEX_WAKE, INT32_MAX, 0, NULL, 0) <= 4);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  CHECK_EQ(passed, 4);
}

static uint32_t first, second, woken[2];

static void* waitWithBits(void* argument) {
  uint32_t bits = (uint32_t)(uintptr_t)argument;
  CHECK_EQ(futex(&first, FUTEX_WAIT_BITSET, 0, 0, NULL, bits), 0);
  __atomic_add_fetch(&woken[bits - 1], 1, __ATOMIC_SEQ_CST);
  return NULL;
}

static void bitSets(void) {
  pthread_t threads[4];
  for (uintptr_t i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, waitWithBits, (void*)(i % 2 + 1));
  sleepMillis(50); // all of them wait by then
  CHECK_EQ(futex(&first, FUTEX_WAKE_BITSET, INT32_MAX, 0, NULL, 2), 2);
  pthread_join(threads[1], NULL);
  pthread_join(threads[3], NULL);
  CHECK_EQ(woken[0], 0);
  CHECK_EQ(woken[1], 2);
  CHECK_EQ(futex(&first, FUTEX_WAKE_BITSET, 1, 0, NULL, 2), 0);
  CHECK_EQ(futex(&first, FUTEX_WAKE, 5, 0, NULL, 0), 2);
  pthread_join(threads[0], NULL);
  pthread_join(threads[2], NULL);
}

static void* waitForFirst(void* argument) {
  CHECK_EQ(futex(&first, FUTEX_WAIT, 0, 0, NULL, 0), 0);
  return argument;
}

static void moveWaiters(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, waitForFirst, NULL);
  sleepMillis(50);
  CHECK_EQ(futex(&first, FUTEX_CMP_REQUEUE, 1, 2, &second, 0), 3);
  CHECK_EQ(futex(&second, FUTEX_WAKE, 5, 0, NULL, 0), 2);
  CHECK_EQ(futex(&first, FUTEX_WAKE, 5, 0, NULL, 0), 1);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
}

static void* waitForSecond(void* argument) {
  CHECK_EQ(futex(&second, FUTEX_WAIT, 7, 0, NULL, 0), 0);
  return argument;
}

static void wakeOperation(void) {
  second = 7;
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, waitForFirst, NULL);
  pthread_create(&threads[1], NULL, waitForSecond, NULL);
  sleepMillis(50);
  uint32_t code = FUTEX_OP(FUTEX_OP_ADD, 3, FUTEX_OP_CMP_GT, 9);
  CHECK_EQ(futex(&first, FUTEX_WAKE_OP, 1, 1, &second, code), 1);
  CHECK_EQ(second, 10);
  code = FUTEX_OP(FUTEX_OP_ANDN, 2, FUTEX_OP_CMP_EQ, 10);
  CHECK_EQ(futex(&first, FUTEX_WAKE_OP, 1, 1, &second, code), 1);
  CHECK_EQ(second, 8);
  code = FUTEX_OP(FUTEX_OP_OPARG_SHIFT | FUTEX_OP_OR, 4, FUTEX_OP_CMP_LT, 0);
  CHECK_EQ(futex(&first, FUTEX_WAKE_OP, 1, 1, &second, code), 0);
  CHECK_EQ(second, 24);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
}

static void* threadId(void* argument) {
  (void)argument;
  CHECK_EQ(syscall(SYS_gettid), gettid());
  return (void*)syscall(SYS_gettid);
}

static void otherCalls(void) {
  CHECK_EQ(syscall(SYS_gettid), getpid());
  pthread_t thread;
  pthread_create(&thread, NULL, threadId, NULL);
  void* id;
  pthread_join(thread, &id);
  CHECK((long)id != getpid());
  CHECK_EQ(syscall(SYS_sched_yield), 0);
  CHECK_EQ(syscall(SYS_getppid), getppid());
  CHECK_ERRNO(syscall(SYS_close, -1), EBADF);
  char text[4] = "";
  int ends[2];
  CHECK_EQ(pipe(ends), 0);
  CHECK_EQ(syscall(SYS_pwrite64, -1, "abc", 3, 0L), -1);
  CHECK_EQ(syscall(SYS_write, ends[1], "abc", 3), 3);
  CHECK_EQ(syscall(SYS_read, ends[0], text, 3), 3);
  CHECK_EQ(strcmp(text, "abc"), 0);
  struct timespec span = {0, 1000000};
  long long start = nanosNow(CLOCK_MONOTONIC);
  CHECK_EQ(syscall(SYS_nanosleep, &span, NULL), 0);
  CHECK(nanosNow(CLOCK_MONOTONIC) - start >= 1000000);
}

int main(void) {
  codes();
  wakeAllWaiters();
  bitSets();
  moveWaiters();
  wakeOperation();
  otherCalls();
  return 0;
}
