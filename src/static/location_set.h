#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace heddle::analysis {

/// A set of numbers that only grows and remembers the order in which they came, so that what is
/// new since the last look is a suffix. Most sets have a few elements: those are searched, larger
/// ones have a hash table beside them.
class LocationSet {
public:
  bool insert(uint32_t value) {
    if (contains(value))
      return false;
    values_.push_back(value);
    if (values_.size() > kSearched)
      addToTable(value);
    return true;
  }

  bool contains(uint32_t value) const {
    if (values_.size() <= kSearched) {
      for (uint32_t each : values_)
        if (each == value)
          return true;
      return false;
    }
    for (uint32_t slot = hash(value) & mask_;; slot = (slot + 1) & mask_) {
      if (table_[slot] == value)
        return true;
      if (table_[slot] == kFree)
        return false;
    }
  }

  uint32_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  uint32_t operator[](uint32_t index) const { return values_[index]; }
  const std::vector<uint32_t>& values() const { return values_; }

private:
  static constexpr uint32_t kSearched = 16;
  static constexpr uint32_t kFree = 0xffffffff;

  static uint32_t hash(uint32_t value) { return value * 0x9e3779b1u >> 4; }

  void addToTable(uint32_t value) {
    if (values_.size() * 2 > mask_ + 1) {
      mask_ = values_.size() <= kSearched + 1 ? 63 : mask_ * 2 + 1;
      table_ = std::make_unique<uint32_t[]>(mask_ + 1);
      std::fill_n(table_.get(), mask_ + 1, kFree);
      for (uint32_t each : values_)
        place(each);
      return;
    }
    place(value);
  }

  void place(uint32_t value) {
    uint32_t slot = hash(value) & mask_;
    while (table_[slot] != kFree)
      slot = (slot + 1) & mask_;
    table_[slot] = value;
  }

  std::vector<uint32_t> values_;
  std::unique_ptr<uint32_t[]> table_;
  uint32_t mask_ = 0;
};

} // namespace heddle::analysis
