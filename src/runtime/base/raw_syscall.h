#pragma once

#include <errno.h>
#include <stdint.h>

/// System calls that go straight to the kernel: no TLS, no cancellation, no interposer.
namespace heddle::rt {

inline long rawSyscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                       long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

template <typename T> inline long asLong(T* pointer) { return reinterpret_cast<long>(pointer); }

/// errno and -1 for an error of a raw system call.
inline long withErrno(long result) {
  if (result >= 0 || result <= -4096)
    return result;
  errno = static_cast<int>(-result);
  return -1;
}

/// The same for a function that a model refuses.
inline int refuse(int error) {
  errno = error;
  return -1;
}

} // namespace heddle::rt
