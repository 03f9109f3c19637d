#include "runtime/run/shared_contents.h"

#include "runtime/base/arena.h"
#include "runtime/base/persistent.h"
#include "runtime/base/process_maps.h"
#include "runtime/base/raw_syscall.h"

#include <sys/syscall.h>
#include <sys/uio.h>

namespace heddle::rt {

namespace {

/// The writable shared mappings of the program, which forEachMapping can only leave in statics.
struct Found {
  static constexpr uint32_t kMost = 64;
  uint32_t count;
  bool tooMany;
  MappedRange ranges[kMost];
};
HEDDLE_LARGE Found found;

/// What the runtime shares with the controller and with its own copies.
bool isOwn(const MappedRange& mapping) {
  auto batch = reinterpret_cast<uintptr_t>(persistent().batch);
  bool isBatch = batch >= mapping.begin && batch < mapping.end;
  return isBatch || (mapping.begin < kOwnEnd && mapping.end > kMainStackBase);
}

bool note(const MappedRange& mapping) {
  if (!mapping.writable || mapping.isPrivate || isOwn(mapping))
    return true;
  found.tooMany = found.count == Found::kMost || mapping.isDevice;
  if (!found.tooMany)
    found.ranges[found.count++] = mapping;
  return !found.tooMany;
}

/// By the kernel: a mapping may lie beyond the end of its file. The number of bytes that are there.
uint64_t transfer(int call, char* copy, uint64_t address, uint64_t bytes) {
  iovec local{copy, bytes};
  iovec remote{reinterpret_cast<void*>(address), bytes};
  long done = rawSyscall(call, rawSyscall(SYS_getpid), asLong(&local), 1, asLong(&remote), 1, 0);
  return done > 0 ? static_cast<uint64_t>(done) : 0;
}

} // namespace

bool SharedContents::keep() {
  found.count = 0;
  found.tooMany = false;
  forEachMapping(note);
  if (mapped_)
    copy().count = 0;
  if (found.count == 0 || found.tooMany)
    return !found.tooMany;
  if (!mapped_)
    mapFixed(base_, sizeof(Copy) + kMaxBytes, "copies of shared memory");
  mapped_ = true;
  used_ = 0;
  copy().count = 0;
  for (uint32_t i = 0; i < found.count; ++i)
    if (!add({found.ranges[i].begin, found.ranges[i].end - found.ranges[i].begin})) {
      copy().count = 0;
      return false;
    }
  return true;
}

bool SharedContents::add(const Part& mapping) {
  uint64_t room = kMaxBytes - used_;
  uint64_t wanted = mapping.bytes < room ? mapping.bytes : room;
  uint64_t got = transfer(SYS_process_vm_readv, bytes() + used_, mapping.address, wanted);
  copy().parts[copy().count++] = {mapping.address, got};
  used_ += got;
  return used_ < kMaxBytes;
}

void SharedContents::putBack() const {
  if (!mapped_)
    return;
  uint64_t at = 0;
  for (uint32_t i = 0; i < copy().count; ++i) {
    const Part& part = copy().parts[i];
    transfer(SYS_process_vm_writev, bytes() + at, part.address, part.bytes);
    at += part.bytes;
  }
}

} // namespace heddle::rt
