#include "describe/late_use.h"

#include <algorithm>
#include <csignal>

namespace heddle {
namespace {

constexpr size_t kLookBack = 256; ///< accesses of the failing thread

/// Whether the failure may come from a pointer out of freed memory, and does not say so itself.
bool mayBeLate(const RunRecord& record) {
  if (record.failure == FailureKind::Crash)
    return record.signal == SIGSEGV || record.signal == SIGBUS;
  return record.failure == FailureKind::MemoryError && record.freeSite == SiteId::None;
}

bool covers(const Operation& block, uint64_t address) {
  return block.address <= address && address - block.address < std::max(block.size, 1u);
}

} // namespace

std::optional<FreedBlock> findFreedBlock(const std::vector<Operation>& operations,
                                         const RunRecord& record) {
  if (!mayBeLate(record))
    return std::nullopt;
  std::vector<size_t> frees;
  size_t seen = 0;
  for (size_t i = operations.size(); i > 0 && seen < kLookBack; --i) {
    const Operation& operation = operations[i - 1];
    if (operation.kind == EventKind::Free)
      frees.push_back(i - 1);
    if (operation.thread != raw(record.thread) || isSync(operation.kind) || operation.address == 0)
      continue;
    ++seen;
    for (size_t free : frees)
      if (covers(operations[free], operation.address))
        return FreedBlock{i - 1, free};
  }
  return std::nullopt;
}

} // namespace heddle
