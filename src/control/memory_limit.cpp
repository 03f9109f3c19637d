#include "control/memory_limit.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

namespace heddle {
namespace {

std::atomic<uint64_t> gLimit{kMaxMemory};

/// The rest is for what does not ask: findings, schedules, reports.
constexpr uint64_t kShareOfAnalyses = 3;
constexpr uint64_t kAllShares = 4;

uint64_t machineMemory() {
  long pages = sysconf(_SC_PHYS_PAGES);
  long bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(bytes) : 0;
}

} // namespace

void setMemoryLimit(uint64_t bytes) { gLimit = bytes; }
uint64_t memoryLimit() { return gLimit; }

uint64_t memoryInUse() {
  struct mallinfo2 facts = mallinfo2();
  return facts.uordblks + facts.hblkhd;
}

bool memoryIsShort() { return memoryInUse() > gLimit / kAllShares * kShareOfAnalyses; }

void returnMemory() { malloc_trim(0); }

uint64_t memoryBudget(const Options& options, uint64_t most) {
  if (options.memory != 0)
    return options.memory << 20;
  uint64_t machine = machineMemory();
  return machine == 0 ? most : std::min(most, machine / 2);
}

} // namespace heddle
