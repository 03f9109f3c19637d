#include "linear_order.h"

#include <algorithm>
#include <unordered_set>

namespace heddle::explore {

namespace {

constexpr uint32_t kNoStep = 0xffffffff;

} // namespace

LinearOrder::LinearOrder(std::vector<OrderStep> steps)
    : steps_(std::move(steps)), words_(steps_.size() / 64 + 1),
      bits_(2 * steps_.size() * words_, 0) {
  addPasts();
  for (size_t number = 0; number < steps_.size(); ++number)
    for (const DataAccess& access : steps_[number].data()) {
      if (writers_.size() <= access.cell)
        writers_.resize(access.cell + size_t{1});
      if (access.writes)
        writers_[access.cell].push_back(static_cast<uint32_t>(number));
    }
}

void LinearOrder::addPasts() {
  size_t threads = 0;
  size_t length = 0;
  for (const OrderStep& step : steps_) {
    threads = std::max<size_t>(threads, step.name().thread + size_t{1});
    length = std::max<size_t>(length, step.name().index + size_t{1});
  }
  // The steps of each thread in order, so that a past is a few prefixes of these.
  std::vector<uint32_t> numbers(threads * length, kNoStep);
  for (size_t number = 0; number < steps_.size(); ++number)
    numbers[steps_[number].name().thread * length + steps_[number].name().index] =
        static_cast<uint32_t>(number);
  for (size_t second = 0; second < steps_.size(); ++second) {
    const Steps& past = steps_[second].event->past;
    for (size_t thread = 0; thread < threads; ++thread)
      for (size_t index = 0; index < std::min<size_t>(past[thread], length); ++index)
        if (uint32_t first = numbers[thread * length + index];
            first != kNoStep && first != second) {
          set(before(second), first);
          set(after(first), second);
        }
  }
}

bool LinearOrder::require(size_t first, size_t second) {
  if (has(before(second), first))
    return true;
  if (first == second || has(before(first), second))
    return false;
  std::vector<uint64_t> earlier(before(first), before(first) + words_);
  set(earlier.data(), first);
  std::vector<uint64_t> later(after(second), after(second) + words_);
  set(later.data(), second);
  for (size_t number = 0; number < steps_.size(); ++number) {
    if (has(earlier.data(), number))
      for (size_t word = 0; word < words_; ++word)
        after(number)[word] |= later[word];
    if (has(later.data(), number))
      for (size_t word = 0; word < words_; ++word)
        before(number)[word] |= earlier[word];
  }
  return true;
}

bool LinearOrder::settleRead(size_t reader, uint32_t cell, int32_t source, bool& changed) {
  for (uint32_t writer : writers_[cell]) {
    if (writer == reader || static_cast<int32_t>(writer) == source)
      continue;
    size_t first = reader;
    size_t second = writer;
    if (source != kInitial) {
      auto origin = static_cast<size_t>(source);
      if (isBefore(writer, reader))
        first = writer, second = origin;
      else if (!isBefore(origin, writer))
        continue;
    }
    if (isBefore(first, second))
      continue;
    if (!require(first, second))
      return false;
    changed = true;
  }
  return true;
}

bool LinearOrder::settle() {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t reader = 0; reader < steps_.size(); ++reader)
      for (size_t i = 0; i < steps_[reader].data().size(); ++i) {
        const DataAccess& access = steps_[reader].data()[i];
        if (access.reads && !settleRead(reader, access.cell, steps_[reader].sources[i], changed))
          return false;
      }
  }
  return true;
}

namespace {

/// The search for the first order: takes steps one after the other, and goes back where no step
/// can be taken. States that led nowhere are remembered.
class OrderSearch {
public:
  OrderSearch(const LinearOrder& order, size_t cells)
      : order_(order), taken_(order.size(), false), missing_(order.size(), 0),
        last_(cells, kInitial), waiting_(cells * (order.size() + 1), 0) {
    for (size_t second = 0; second < order.size(); ++second)
      missing_[second] = order.countBefore(second);
    for (size_t reader = 0; reader < order.size(); ++reader)
      forReads(reader, [&](uint32_t cell, int32_t source) { ++waiting(cell, source); });
  }

  bool find() {
    if (sequence_.size() == order_.size())
      return true;
    if (!dead_.empty() && dead_.contains(state()))
      return false;
    size_t first = firstLeft_;
    for (size_t number = first; number < order_.size(); ++number) {
      if (!canTake(number))
        continue;
      size_t overwritten = overwritten_.size();
      take(number);
      if (find())
        return true;
      giveBack(number, overwritten);
      firstLeft_ = first;
    }
    dead_.insert(state());
    return false;
  }

  std::vector<uint32_t> sequence() const { return sequence_; }

private:
  uint32_t& waiting(uint32_t cell, int32_t source) {
    return waiting_[cell * (order_.size() + 1) + static_cast<size_t>(int64_t{source} + 1)];
  }
  template <typename Do> void forReads(size_t number, Do what) {
    const OrderStep& step = order_.step(number);
    for (size_t i = 0; i < step.data().size(); ++i)
      if (step.data()[i].reads)
        what(step.data()[i].cell, step.sources[i]);
  }

  bool canTake(size_t number) {
    if (taken_[number] || missing_[number] != 0)
      return false;
    const OrderStep& step = order_.step(number);
    for (size_t i = 0; i < step.data().size(); ++i) {
      const DataAccess& access = step.data()[i];
      if (access.reads && last_[access.cell] != step.sources[i])
        return false;
      uint32_t own = access.reads ? 1 : 0;
      if (access.writes && waiting(access.cell, last_[access.cell]) > own)
        return false;
    }
    return true;
  }

  void take(size_t number) {
    taken_[number] = true;
    sequence_.push_back(static_cast<uint32_t>(number));
    forReads(number, [&](uint32_t cell, int32_t source) { --waiting(cell, source); });
    for (const DataAccess& access : order_.step(number).data())
      if (access.writes) {
        overwritten_.emplace_back(access.cell, last_[access.cell]);
        last_[access.cell] = static_cast<int32_t>(number);
      }
    order_.forAfter(number, [&](size_t second) { --missing_[second]; });
    while (firstLeft_ < taken_.size() && taken_[firstLeft_])
      ++firstLeft_;
  }

  void giveBack(size_t number, size_t overwritten) {
    taken_[number] = false;
    sequence_.pop_back();
    forReads(number, [&](uint32_t cell, int32_t source) { ++waiting(cell, source); });
    for (; overwritten_.size() > overwritten; overwritten_.pop_back())
      last_[overwritten_.back().first] = overwritten_.back().second;
    order_.forAfter(number, [&](size_t second) { ++missing_[second]; });
  }

  std::vector<int32_t> state() const {
    std::vector<int32_t> words(last_);
    for (size_t i = 0; i < taken_.size(); ++i)
      words.push_back(taken_[i] ? 1 : 0);
    return words;
  }

  struct Hash {
    size_t operator()(const std::vector<int32_t>& words) const {
      uint64_t hash = 0;
      for (int32_t word : words)
        hash = mix(hash, static_cast<uint64_t>(word));
      return hash;
    }
  };

  const LinearOrder& order_;
  std::vector<bool> taken_;
  std::vector<uint32_t> missing_; ///< how many steps must come before it yet
  std::vector<int32_t> last_;
  std::vector<uint32_t> waiting_; ///< reads of a cell from a source that are to come
  std::vector<uint32_t> sequence_;
  std::vector<std::pair<uint32_t, int32_t>> overwritten_; ///< what last_ was before each write
  size_t firstLeft_ = 0;                                  ///< all steps before it are taken
  std::unordered_set<std::vector<int32_t>, Hash> dead_;
};

} // namespace

std::optional<std::vector<uint32_t>> LinearOrder::find() const {
  OrderSearch search(*this, writers_.size());
  if (!search.find())
    return std::nullopt;
  return search.sequence();
}

std::vector<int32_t> lastWriters(const LinearOrder& order, const std::vector<uint32_t>& sequence,
                                 size_t cells) {
  std::vector<int32_t> last(cells, kInitial);
  for (uint32_t number : sequence)
    for (const DataAccess& access : order.step(number).data())
      if (access.writes)
        last[access.cell] = static_cast<int32_t>(number);
  return last;
}

} // namespace heddle::explore
