#pragma once

#include <cstdio>
#include <cstdlib>

/// A failed check ends the program with status 1: the same natively and under the runtime.
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                 \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)
