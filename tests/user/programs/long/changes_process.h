// Included before a program: its main first changes the process in a way that putting back memory
// does not undo, and that ends with the process.
#pragma once

#include <cstdlib>
#include <sys/mman.h>

alignas(4096) inline char readOnlyPage[4096];

inline void changeProcess() {
  if (mprotect(readOnlyPage, sizeof readOnlyPage, PROT_READ) != 0)
    abort();
}

void runProgram();

#define main()                                                                                     \
  main() {                                                                                         \
    changeProcess();                                                                               \
    runProgram();                                                                                  \
  }                                                                                                \
  void runProgram()
