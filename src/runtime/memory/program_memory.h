#pragma once

#include "runtime/base/raw_syscall.h"
#include "runtime/memory/shared_memory.h"

#include <sys/syscall.h>
#include <sys/uio.h>

namespace heddle::rt {

/// Reads up to 8 bytes of the program's memory through the kernel, the rest of `value` becomes 0:
/// the access that is about to happen may be the one that crashes, and it must crash in the
/// program's code. False: there is no such memory.
inline bool readMemory(uint64_t address, uint32_t size, uint64_t& value) {
  value = 0;
  iovec local{&value, size};
  iovec remote{reinterpret_cast<void*>(addressOfIdentity(address)), size};
  long got = rawSyscall(SYS_process_vm_readv, rawSyscall(SYS_getpid), asLong(&local), 1,
                        asLong(&remote), 1, 0);
  return got == static_cast<long>(size);
}

} // namespace heddle::rt
