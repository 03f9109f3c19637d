#include "runtime/engine/memory_sum.h"

#include "model/ids.h"
#include "runtime/base/arena.h"
#include "runtime/base/persistent.h"
#include "runtime/base/process_maps.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/engine/progress.h"
#include "runtime/memory/heap_threads.h"
#include "runtime/memory/program_memory.h"

// The runtime's own variables, which change with every step; by the linker.
extern "C" const char __start_heddle_data[] __attribute__((weak, visibility("hidden")));
extern "C" const char __stop_heddle_data[] __attribute__((weak, visibility("hidden")));
extern "C" const char __start_heddle_bss[] __attribute__((weak, visibility("hidden")));
extern "C" const char __stop_heddle_bss[] __attribute__((weak, visibility("hidden")));
extern "C" const char __start_heddle_large[] __attribute__((weak, visibility("hidden")));
extern "C" const char __stop_heddle_large[] __attribute__((weak, visibility("hidden")));

namespace heddle::rt {
namespace {

/// More than this is not looked at: it would take too long.
constexpr uint64_t kMaxSummedBytes = 1ull << 30;
constexpr uint64_t kChunk = 1 << 16;

struct Range {
  uint64_t begin;
  uint64_t end;
};

uint64_t total = 0;
uint64_t sum = 0;
HEDDLE_LARGE uint64_t buffer[kChunk / 8];

/// Through the kernel: a mapping may lie beyond the end of its file.
void addChunk(uint64_t begin, uint64_t bytes) {
  iovec local{buffer, bytes};
  iovec remote{reinterpret_cast<void*>(begin), bytes};
  long got = rawSyscall(SYS_process_vm_readv, rawSyscall(SYS_getpid), asLong(&local), 1,
                        asLong(&remote), 1, 0);
  for (long i = 0; i < got / 8; ++i)
    sum = (sum ^ buffer[i]) * 0x9e3779b97f4a7c15ull + (sum >> 29);
}

void addBytes(uint64_t begin, uint64_t end) {
  total += end - begin;
  for (uint64_t at = begin; at < end && total <= kMaxSummedBytes; at += kChunk)
    addChunk(at, end - at < kChunk ? end - at : kChunk);
}

/// Leaves out what lies in one of the ranges from `skipped` on.
void addAround(uint64_t begin, uint64_t end, const Range* skipped, uint32_t count) {
  if (begin >= end)
    return;
  for (uint32_t i = 0; i < count; ++i) {
    if (skipped[i].begin >= end || skipped[i].end <= begin)
      continue;
    addAround(begin, skipped[i].begin, skipped + i + 1, count - i - 1);
    addAround(skipped[i].end, end, skipped + i + 1, count - i - 1);
    return;
  }
  addBytes(begin, end);
}

/// The memory that is shared with the controller: it counts steps.
Range batchRange() {
  const BatchHeader* batch = persistent().batch;
  auto begin = reinterpret_cast<uintptr_t>(batch);
  return {begin, begin + (batch ? batch->totalBytes : 0)};
}

Range rangeOf(const char* begin, const char* end) {
  return {reinterpret_cast<uintptr_t>(begin), reinterpret_cast<uintptr_t>(end)};
}

bool addMapping(const MappedRange& mapping) {
  bool own = mapping.begin < kOwnEnd && mapping.end > kMainStackBase;
  if (!mapping.writable || mapping.isKernelStack || own)
    return true;
  Range skipped[] = {rangeOf(__start_heddle_data, __stop_heddle_data),
                     rangeOf(__start_heddle_bss, __stop_heddle_bss),
                     rangeOf(__start_heddle_large, __stop_heddle_large), batchRange()};
  addAround(mapping.begin, mapping.end, skipped, sizeof(skipped) / sizeof(skipped[0]));
  return total <= kMaxSummedBytes;
}

/// The stack of a thread that has not run lately. Others may write to it.
void addStack(const Fiber* fiber, uint64_t proofFrom) {
  if (fiber->finished || fiber == scheduler.current || fiber->watch.repeatsFrom > proofFrom)
    return;
  addBytes(reinterpret_cast<uintptr_t>(fiber->stackPointer), stackEnd(fiber));
}

} // namespace

uint64_t memorySum(uint64_t proofFrom) {
  total = sum = 0;
  for (uint32_t i = 0; i < scheduler.threads; ++i)
    addStack(scheduler.fibers[i], proofFrom);
  HeapRange ranges[kHeapRanges];
  heapRanges(ranges);
  addBytes(ranges[kPoolRange].base, ranges[kPoolRange].base + ranges[kPoolRange].bytes);
  forEachThreadRange(addBytes);
  forEachMapping(addMapping);
  return total > kMaxSummedBytes ? 0 : sum | 1;
}

} // namespace heddle::rt
