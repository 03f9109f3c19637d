#include "lock_pattern.h"

namespace heddle {

void LockPattern::beginRun(uint64_t seed) {
  random_.seed(seed);
  for (Block& block : blocks_)
    block = Block();
  letGo_ = ThreadIndex::None;
  thrashings_ = 0;
  sightings_ = 0;
}

LockPattern::Block* LockPattern::blockOf(const ThreadView& thread) {
  return raw(thread.index) < kMaxThreads ? &blocks_[raw(thread.index)] : nullptr;
}

bool LockPattern::holds(const Block& block, uint64_t lock) {
  for (uint32_t i = 0; i < block.heldCount; ++i)
    if (block.held[i] == lock)
      return true;
  return false;
}

LockPattern::Had* LockPattern::reacquired(const ThreadView& thread) {
  Block* block = blockOf(thread);
  bool locks = thread.pending.kind == EventKind::MutexLock;
  if (!block || !locks || block->heldCount == 0 || holds(*block, thread.pending.address))
    return nullptr;
  for (uint32_t i = 0; i < block->hadCount; ++i)
    if (block->had[i].lock == thread.pending.address)
      return &block->had[i];
  return nullptr;
}

bool LockPattern::shallWait(const ThreadView& thread) {
  const Had* had = reacquired(thread);
  return had && !had->byOthers && thread.index != letGo_;
}

ThreadIndex LockPattern::choose(const Choice& choice) {
  const EnabledSet& enabled = choice.enabled;
  uint32_t waiting = 0;
  enabled.forEach([&](const ThreadView& thread) { waiting += shallWait(thread); });
  bool nobodyElse = waiting == enabled.count();
  thrashings_ += nobodyElse;
  auto n = random_.below(nobodyElse ? enabled.count() : enabled.count() - waiting);
  ThreadIndex chosen = ThreadIndex::None;
  enabled.forEach([&](const ThreadView& thread) {
    if ((nobodyElse || !shallWait(thread)) && chosen == ThreadIndex::None && n-- == 0)
      chosen = thread.index;
  });
  if (nobodyElse)
    letGo_ = chosen;
  return chosen;
}

uint32_t LockPattern::chooseWaiter(const Choice&, ThreadView* const*, uint32_t count) {
  return static_cast<uint32_t>(random_.below(count));
}

void LockPattern::acquire(const ThreadView& thread, uint64_t lock) {
  const Had* had = reacquired(thread);
  sightings_ += had && had->byOthers;
  for (uint32_t t = 0; t < kMaxThreads; ++t)
    for (uint32_t i = 0; t != raw(thread.index) && i < blocks_[t].hadCount; ++i)
      blocks_[t].had[i].byOthers |= blocks_[t].had[i].lock == lock;
  Block* block = blockOf(thread);
  if (block && block->heldCount < kMaxLocks)
    block->held[block->heldCount++] = lock;
}

void LockPattern::release(Block& block, uint64_t lock) {
  uint32_t i = block.heldCount;
  while (i > 0 && block.held[i - 1] != lock)
    --i;
  if (i == 0)
    return;
  for (; i < block.heldCount; ++i)
    block.held[i - 1] = block.held[i];
  if (--block.heldCount == 0) {
    block.hadCount = 0; // the block ends
    return;
  }
  if (holds(block, lock)) // a recursive one, which others could not get
    return;
  for (uint32_t h = 0; h < block.hadCount; ++h)
    if (block.had[h].lock == lock) {
      block.had[h].byOthers = false;
      return;
    }
  if (block.hadCount < kMaxLocks)
    block.had[block.hadCount++] = {lock, false};
}

void LockPattern::executed(ThreadView& thread, const EnabledSet&) {
  if (thread.pending.kind == EventKind::MutexLock)
    acquire(thread, thread.pending.address);
  Block* block = blockOf(thread);
  if (block && thread.pending.kind == EventKind::MutexUnlock)
    release(*block, thread.pending.address);
  if (thread.index == letGo_)
    letGo_ = ThreadIndex::None;
}

} // namespace heddle
