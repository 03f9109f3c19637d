#include "toy_program.h"

namespace heddle::test {

bool ToyProgram::canRun(uint32_t index) const {
  const Thread& thread = states_[index];
  if (thread.at == threads_[index].size())
    return false;
  const Step& next = threads_[index][thread.at];
  return !next.enabled || next.enabled();
}

uint32_t ToyProgram::fill(std::vector<uint64_t>& words, bool withYielded) const {
  words.assign((states_.size() + 63) / 64, 0);
  uint32_t count = 0;
  for (uint32_t i = 0; i < states_.size(); ++i) {
    if (!canRun(i) || (states_[i].yielded && !withYielded))
      continue;
    words[i / 64] |= 1ull << (i % 64);
    ++count;
  }
  return count;
}

uint32_t ToyProgram::choose(Strategy& strategy, uint32_t current, std::vector<uint64_t>& words,
                            uint32_t count) {
  Thread& thread = states_[current];
  EnabledSet enabled(words.data(), static_cast<uint32_t>(words.size()), count, views_.data());
  auto index = static_cast<ThreadIndex>(current);
  bool currentEnabled = enabled.contains(index);
  ThreadIndex fallback = currentEnabled ? index : enabled.after(index);
  uint32_t occurrence = ++thread.occurrences[thread.at];
  if (count > 1)
    ++choices_;
  Choice choice{enabled,        index,    currentEnabled,
                thread.yielded, fallback, toySite(current, thread.at),
                occurrence};
  ThreadIndex chosen = fallback;
  if (count > 1 || !currentEnabled || strategy.traits().wantsAllChoices)
    chosen = strategy.choose(choice);
  if (count == 1)
    chosen = enabled.nth(0);
  if (strategy.traits().wantsExecuted)
    strategy.executed(states_[raw(chosen)].view, enabled);
  return raw(chosen);
}

std::vector<uint32_t> ToyProgram::run(Strategy& strategy, uint64_t seed, uint64_t most) {
  states_.assign(threads_.size(), Thread());
  views_.clear();
  choices_ = 0;
  strategy.beginRun(seed);
  ThreadPath path = ThreadPath::Main;
  for (uint32_t i = 0; i < states_.size(); ++i) {
    Thread& thread = states_[i];
    thread.view.index = static_cast<ThreadIndex>(i);
    thread.view.path = i == 0 ? path : childPath(path, i);
    thread.occurrences.resize(threads_[i].size() + 1);
    views_.push_back(&thread.view);
    strategy.threadCreated(thread.view);
  }
  std::vector<uint32_t> order;
  std::vector<uint64_t> words;
  uint32_t current = 0;
  finished_ = false;
  while (order.size() < most) {
    for (uint32_t i = 0; i < states_.size(); ++i)
      if (states_[i].at < threads_[i].size())
        states_[i].view.pending = threads_[i][states_[i].at].operation;
    uint32_t count = fill(words, false);
    if (count == 0)
      count = fill(words, true);
    if (count == 0) {
      finished_ = true;
      break;
    }
    current = choose(strategy, current, words, count);
    for (Thread& thread : states_)
      thread.yielded = false;
    Thread& thread = states_[current];
    if (threads_[current][thread.at].run())
      thread.yielded = true;
    else
      ++thread.at;
    order.push_back(current);
  }
  strategy.endRun(order.size());
  return order;
}

} // namespace heddle::test
