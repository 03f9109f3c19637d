#pragma once

#include "execution.h"

#include <bit>

namespace heddle::explore {

/// A step that is to be put in order. `sources` has, for each access of its data that reads, the
/// number of the step that it reads from (kInitial: none). What is not to be ordered may be in its
/// past, and so may the step itself.
struct OrderStep {
  const Event* event; ///< lives longer than the order
  Few<int32_t, 2> sources;

  const StepName& name() const { return event->name; }
  const Few<DataAccess, 2>& data() const { return event->data; }
};

/// Puts steps in an order in which every read has its source and every step its past: the question
/// whether an execution with given reads-from exists under sequential consistency, and which one is
/// taken for it. It is the first one in the dictionary, the steps ranked as they are given; so if a
/// further step is given last and reads what the order ends with, it is appended.
class LinearOrder {
public:
  explicit LinearOrder(std::vector<OrderStep> steps);

  size_t size() const { return steps_.size(); }
  const OrderStep& step(size_t number) const { return steps_[number]; }
  /// Asks for one before the other. False if that is impossible already.
  bool require(size_t first, size_t second);
  bool isBefore(size_t first, size_t second) const { return has(before(second), first); }
  uint32_t countBefore(size_t number) const {
    uint32_t count = 0;
    for (size_t word = 0; word < words_; ++word)
      count += static_cast<uint32_t>(std::popcount(before(number)[word]));
    return count;
  }
  template <typename Do> void forAfter(size_t number, Do what) const {
    for (size_t word = 0; word < words_; ++word)
      for (uint64_t bits = after(number)[word]; bits != 0; bits &= bits - 1)
        what(word * 64 + static_cast<size_t>(std::countr_zero(bits)));
  }
  /// Draws the conclusions: a write that comes before a read comes before its source, and one that
  /// comes after the source comes after the read. False if there is no order.
  bool settle();
  /// The order, or nothing if there is none. Needs `settle`.
  std::optional<std::vector<uint32_t>> find() const;

private:
  static bool has(const uint64_t* bits, size_t number) {
    return bits[number / 64] >> number % 64 & 1;
  }
  static void set(uint64_t* bits, size_t number) {
    bits[number / 64] |= uint64_t{1} << number % 64;
  }
  const uint64_t* before(size_t number) const { return &bits_[number * words_]; }
  const uint64_t* after(size_t number) const { return &bits_[(size() + number) * words_]; }
  uint64_t* before(size_t number) { return &bits_[number * words_]; }
  uint64_t* after(size_t number) { return &bits_[(size() + number) * words_]; }
  void addPasts();
  bool settleRead(size_t reader, uint32_t cell, int32_t source, bool& changed);

  std::vector<OrderStep> steps_;
  size_t words_ = 0;           ///< for a bit of each step
  std::vector<uint64_t> bits_; ///< which steps come before each one, then which come after; closed
  std::vector<std::vector<uint32_t>> writers_; ///< of each cell
};

/// The last write of each cell when the steps are taken in this order; kInitial where none.
std::vector<int32_t> lastWriters(const LinearOrder& order, const std::vector<uint32_t>& sequence,
                                 size_t cells);

} // namespace heddle::explore
