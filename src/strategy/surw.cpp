#include "surw.h"

namespace heddle {

void Surw::beginBatch(const Plan& plan) {
  selectsAll_ = plan.selectedSites == 0;
  accounts_ = 0;
}

void Surw::beginRun(uint64_t seed) {
  random_.seed(seed);
  early_.beginRun();
  intended_ = ThreadIndex::None;
  running_ = kNobody;
  for (uint32_t i = 0; i < accounts_; ++i)
    account_[i].executed = account_[i].left = 0;
}

bool Surw::isSelected(const PendingOperation& operation) const {
  return selectsAll_ ? operation.address != 0 : operation.selected;
}

uint32_t Surw::find(ThreadPath path) const {
  for (uint32_t i = 0; i < accounts_; ++i)
    if (account_[i].path == path)
      return i;
  return kNobody;
}

/// A thread's priority is the number of its account, from 1.
Surw::Account* Surw::accountOf(const ThreadView& thread) {
  return thread.priority == 0 ? nullptr : &account_[thread.priority - 1];
}

void Surw::threadCreated(ThreadView& thread) {
  uint32_t number = find(thread.path);
  if (number == kNobody && accounts_ < kMaxThreads) {
    number = accounts_++;
    account_[number] = {thread.path, running_, 0, 0, 0};
  }
  if (number == kNobody)
    return;
  thread.priority = number + 1;
  Account& account = account_[number];
  account.left = account.expected;
  if (account.parent == kNobody)
    return;
  Account& parent = account_[account.parent];
  parent.left -= parent.left < account.expected ? parent.left : account.expected;
}

void Surw::executed(ThreadView& thread, const EnabledSet&) {
  Account* account = accountOf(thread);
  running_ = account ? static_cast<uint32_t>(account - account_) : kNobody;
  if (!isSelected(thread.pending))
    return;
  if (account) {
    ++account->executed;
    account->left -= account->left != 0;
  }
  if (intended_ == thread.index)
    intended_ = ThreadIndex::None;
}

uint64_t Surw::weightOf(const ThreadView& thread) {
  Account* account = accountOf(thread);
  uint64_t left = account ? account->left : 0;
  // One that has come to a selected event has at least that one left.
  return left == 0 && isSelected(thread.pending) ? 1 : left;
}

void Surw::drawIntended(const EnabledSet& enabled) {
  uint64_t sum = 0;
  enabled.forEach([&](const ThreadView& thread) { sum += weightOf(thread); });
  intended_ = ThreadIndex::None;
  if (sum == 0)
    return;
  uint64_t drawn = random_.below(sum);
  enabled.forEach([&](const ThreadView& thread) {
    uint64_t weight = weightOf(thread);
    if (intended_ == ThreadIndex::None && drawn < weight)
      intended_ = thread.index;
    drawn = drawn < weight ? UINT64_MAX : drawn - weight;
  });
}

bool Surw::mayRun(const ThreadView& thread) const {
  return thread.index == intended_ || !isSelected(thread.pending);
}

ThreadIndex Surw::choose(const Choice& choice) {
  const EnabledSet& enabled = choice.enabled;
  bool spins = choice.yielded && choice.current == intended_;
  if (intended_ == ThreadIndex::None || spins || !enabled.contains(intended_))
    drawIntended(enabled);
  uint32_t count = 0;
  enabled.forEach([&](const ThreadView& thread) { count += mayRun(thread); });
  if (count == 0)
    return choice.fallback;
  uint64_t n = random_.below(count);
  ThreadIndex chosen = choice.fallback;
  enabled.forEach([&](const ThreadView& thread) {
    if (mayRun(thread) && n-- == 0)
      chosen = thread.index;
  });
  return chosen;
}

void Surw::endRun(uint64_t) {
  for (uint32_t i = 0; i < accounts_; ++i)
    account_[i].expected = account_[i].executed;
  for (uint32_t i = accounts_; i-- > 0;)
    if (account_[i].parent != kNobody)
      account_[account_[i].parent].expected += account_[i].expected;
}

uint32_t Surw::chooseWaiter(const Choice&, ThreadView* const*, uint32_t count) {
  return static_cast<uint32_t>(random_.below(count));
}

bool Surw::chooseEarly(const Choice&, DecisionKind, ThreadView&) { return early_.draw(random_); }

} // namespace heddle
