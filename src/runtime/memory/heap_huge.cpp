#include "runtime/base/raw_syscall.h"
#include "runtime/memory/heap_pages.h"

#include <fcntl.h>
#include <sys/syscall.h>

/// Blocks of very many pages. What a program does not touch of them shall cost nothing: neither
/// entries in the page table, nor a copy when the block moves.
namespace heddle::rt {

namespace {

struct HugeBlock {
  uint64_t first;
  uint64_t pages;
};
constexpr uint32_t kMaxHuge = 64;
HugeBlock blocks[kMaxHuge];
uint32_t blockCount = 0;

bool isFreed(const HugeBlock& block) { return runRecord(block.first).state == BlockState::Freed; }

void dropFreed() {
  for (uint32_t i = blockCount; i-- > 0;)
    if (isFreed(blocks[i]))
      blocks[i] = blocks[--blockCount];
}

constexpr uint64_t kEntries = 4096;
HEDDLE_LARGE uint64_t pageBits[kEntries]; ///< as /proc/self/pagemap has them

/// Present, or swapped out.
bool wasTouched(uint64_t bits) { return bits >> 62 != 0; }

void copyPages(uintptr_t to, uintptr_t from, uint64_t pages) {
  for (uint64_t i = 0; i < pages; ++i)
    if (wasTouched(pageBits[i]))
      memcpy(reinterpret_cast<void*>(to + (i << kPageShift)),
             reinterpret_cast<const void*>(from + (i << kPageShift)), kPageBytes);
}

/// How many pages from `from` on the kernel has told about.
uint64_t readPageBits(long pagemap, uintptr_t from, uint64_t pages) {
  uint64_t wanted = pages < kEntries ? pages : kEntries;
  long got = rawSyscall(SYS_pread64, pagemap, asLong(pageBits),
                        static_cast<long>(wanted * sizeof(uint64_t)),
                        static_cast<long>((from >> kPageShift) * sizeof(uint64_t)));
  return got < 0 ? 0 : static_cast<uint64_t>(got) / sizeof(uint64_t);
}

} // namespace

bool keepHuge(uint64_t first, uint64_t pages) {
  for (uint32_t i = 0; i < blockCount; ++i)
    if (blocks[i].first == first) {
      blocks[i].pages = pages;
      return true;
    }
  if (blockCount == kMaxHuge)
    dropFreed();
  if (blockCount == kMaxHuge)
    return false;
  blocks[blockCount++] = {first, pages};
  return true;
}

uint64_t hugeBlockAt(uint64_t page) {
  for (uint32_t i = 0; i < blockCount; ++i)
    if (page - blocks[i].first < blocks[i].pages)
      return blocks[i].first;
  return 0;
}

void forgetHuge(uint64_t first, uint64_t pages) {
  for (uint32_t i = blockCount; i-- > 0;)
    if (blocks[i].first < first + pages && first < blocks[i].first + blocks[i].pages)
      blocks[i] = blocks[--blockCount];
}

void copyTouched(void* to, const void* from, size_t bytes) {
  auto source = reinterpret_cast<uintptr_t>(from);
  auto target = reinterpret_cast<uintptr_t>(to);
  long pagemap = rawSyscall(SYS_open, asLong("/proc/self/pagemap"), O_RDONLY | O_CLOEXEC);
  uint64_t pages = pagemap < 0 ? 0 : bytes >> kPageShift;
  while (pages != 0) {
    uint64_t known = readPageBits(pagemap, source, pages);
    if (known == 0)
      break;
    copyPages(target, source, known);
    source += known << kPageShift;
    target += known << kPageShift;
    pages -= known;
  }
  if (pagemap >= 0)
    rawSyscall(SYS_close, pagemap);
  memcpy(reinterpret_cast<void*>(target), reinterpret_cast<const void*>(source),
         reinterpret_cast<uintptr_t>(from) + bytes - source);
}

} // namespace heddle::rt
