#include "runtime/io/random_model.h"

#include "runtime/base/arena.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/base/real.h"
#include "runtime/core/scheduler.h"
#include "runtime/core/scheduler_state.h"
#include "strategy/strategy.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

namespace heddle::rt {

namespace {

constexpr uint64_t kSeed = 0x68656464'6c65;
Random stream;
bool seeded = false;

/// The stream of the running thread. Without a controller there is one: threads are without end.
Random& streamOfThread() {
  Fiber* fiber = scheduler.current;
  if (!controlled() || scheduler.quiet || !fiber || !fiber->parent) {
    if (!seeded)
      stream.seed(kSeed);
    seeded = true;
    return stream;
  }
  if (!fiber->random) {
    fiber->random = static_cast<Random*>(runAllocate(sizeof(Random)));
    fiber->random->seed(mix(kSeed, raw(fiber->view.path)));
  }
  return *fiber->random;
}

} // namespace

void fillRandom(void* buffer, size_t bytes) {
  auto* to = static_cast<char*>(buffer);
  while (bytes != 0) {
    uint64_t word = streamOfThread().next();
    size_t part = bytes < sizeof word ? bytes : sizeof word;
    memcpy(to, &word, part);
    to += part;
    bytes -= part;
  }
}

bool isRandomDevice(const char* path) {
  return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

} // namespace heddle::rt

using namespace heddle;
using namespace heddle::rt;

HEDDLE_INTERPOSE ssize_t getrandom(void* buffer, size_t bytes, unsigned flags) {
  if (!controlled())
    return real::getrandom(buffer, bytes, flags);
  fillRandom(buffer, bytes);
  return static_cast<ssize_t>(bytes);
}

HEDDLE_INTERPOSE int getentropy(void* buffer, size_t bytes) {
  if (!controlled())
    return real::getentropy(buffer, bytes);
  if (bytes > 256) {
    errno = EIO;
    return -1;
  }
  fillRandom(buffer, bytes);
  return 0;
}

// Since glibc 2.36; nothing is there to forward to in older ones.
HEDDLE_INTERPOSE void arc4random_buf(void* buffer, size_t bytes) {
  auto* to = static_cast<char*>(buffer);
  while (!controlled() && bytes != 0) {
    long got = rawSyscall(SYS_getrandom, asLong(to), static_cast<long>(bytes), 0);
    to += got > 0 ? got : 0;
    bytes -= got > 0 ? static_cast<size_t>(got) : 0;
  }
  fillRandom(to, bytes);
}

HEDDLE_INTERPOSE uint32_t arc4random() {
  uint32_t value;
  arc4random_buf(&value, sizeof value);
  return value;
}

HEDDLE_INTERPOSE uint32_t arc4random_uniform(uint32_t bound) {
  if (bound < 2)
    return 0;
  uint32_t excess = -bound % bound; // drawing again below it makes the rest uniform
  uint32_t value;
  do
    value = arc4random();
  while (value < excess);
  return value % bound;
}

/// std::random_device reads the processor's generator itself. Weak, because a libstdc++ that is
/// linked statically brings its own along.
extern "C" __attribute__((visibility("default"), weak)) unsigned
_ZNSt13random_device9_M_getvalEv(void*) {
  return arc4random();
}

extern "C" __attribute__((visibility("default"), weak)) unsigned
_ZNSt13random_device16_M_getval_pretr1Ev(void*) {
  return arc4random();
}
