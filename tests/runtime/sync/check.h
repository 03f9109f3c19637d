#pragma once

/* What the programs of this folder check with. They hold for every schedule, with and without the
   runtime, and exit with 0 when all is well. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                    \
      _exit(1);                                                                                    \
    }                                                                                              \
  } while (0)

#define CHECK_EQ(actual, expected)                                                                 \
  do {                                                                                             \
    long actualValue = (long)(actual);                                                             \
    long expectedValue = (long)(expected);                                                         \
    if (actualValue != expectedValue) {                                                            \
      fprintf(stderr, "%s:%d: %s is %ld, expected %ld (%s)\n", __FILE__, __LINE__, #actual,        \
              actualValue, expectedValue, #expected);                                              \
      _exit(1);                                                                                    \
    }                                                                                              \
  } while (0)

#define CHECK_ERRNO(call, expected)                                                                \
  do {                                                                                             \
    errno = 0;                                                                                     \
    CHECK_EQ(call, -1);                                                                            \
    CHECK_EQ(errno, expected);                                                                     \
  } while (0)

static inline struct timespec afterMillis(clockid_t clock, long millis) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += millis * 1000000;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

static inline long long nanosNow(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static inline void sleepMillis(long millis) {
  struct timespec time = {millis / 1000, millis % 1000 * 1000000};
  nanosleep(&time, NULL);
}
