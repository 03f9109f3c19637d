#pragma once
// After org.hsqldb.lib.DoubleIntIndex of HSQLDB 2.3.2: pairs of numbers, sorted by key or value.
// What adds and removes is locked, what sets how it is searched and what it is asked for is not.
#include <mutex>
#include <stdexcept>
#include <vector>

class DoubleIntIndex {
public:
  explicit DoubleIntIndex(int capacity, bool fixedSize = false)
      : count_(0), capacity_(capacity), sorted_(true), sortOnValues_(false), hasChanged_(false),
        fixedSize_(fixedSize), targetSearchValue_(0), keys_(static_cast<size_t>(capacity)),
        values_(static_cast<size_t>(capacity)) {}

  int getKey(int i) {
    Guard guard(lock_);
    check(i);
    return keys_[static_cast<size_t>(i)];
  }
  int getValue(int i) {
    Guard guard(lock_);
    check(i);
    return values_[static_cast<size_t>(i)];
  }
  void setKey(int i, int key) {
    Guard guard(lock_);
    check(i);
    if (!sortOnValues_)
      sorted_ = false;
    keys_[static_cast<size_t>(i)] = key;
  }
  void setValue(int i, int value) {
    Guard guard(lock_);
    check(i);
    if (sortOnValues_)
      sorted_ = false;
    values_[static_cast<size_t>(i)] = value;
  }
  int size() const { return count_; }
  int capacity() const { return capacity_; }
  bool addUnsorted(int key, int value) {
    Guard guard(lock_);
    if (!makeRoom())
      return false;
    if (sorted_ && count_ != 0)
      sorted_ = sortOnValues_ ? value >= values_[static_cast<size_t>(count_ - 1)]
                              : key >= keys_[static_cast<size_t>(count_ - 1)];
    hasChanged_ = true;
    keys_[static_cast<size_t>(count_)] = key;
    values_[static_cast<size_t>(count_)] = value;
    ++count_;
    return true;
  }
  bool addSorted(int key, int value) {
    Guard guard(lock_);
    if (count_ != 0 && key < keys_[static_cast<size_t>(count_ - 1)])
      return false;
    return addUnsorted(key, value);
  }
  bool addUnique(int key, int value) {
    Guard guard(lock_);
    targetSearchValue_ = key;
    if (findKey() >= 0)
      return false;
    return addUnsorted(key, value);
  }
  bool add(int key, int value) {
    Guard guard(lock_);
    return addUnsorted(key, value);
  }
  int lookup(int key) {
    Guard guard(lock_);
    targetSearchValue_ = key;
    int i = findKey();
    if (i < 0)
      throw std::out_of_range("no such key");
    return values_[static_cast<size_t>(i)];
  }
  int lookup(int key, int otherwise) {
    Guard guard(lock_);
    targetSearchValue_ = key;
    int i = findKey();
    return i < 0 ? otherwise : values_[static_cast<size_t>(i)];
  }
  void clear() { removeAll(); }
  void setValuesSearchTarget() {
    if (!sortOnValues_)
      sorted_ = false;
    sortOnValues_ = true;
  }
  void setKeysSearchTarget() {
    if (sortOnValues_)
      sorted_ = false;
    sortOnValues_ = false;
  }
  int findFirstGreaterEqualKeyIndex(int value) {
    Guard guard(lock_);
    targetSearchValue_ = value;
    for (int i = 0; i < count_; ++i)
      if (keys_[static_cast<size_t>(i)] >= value)
        return i;
    return -1;
  }
  int findFirstEqualKeyIndex(int value) {
    Guard guard(lock_);
    targetSearchValue_ = value;
    return findKey();
  }
  void sort() {
    Guard guard(lock_);
    for (int i = 1; i < count_; ++i)
      for (int j = i; j > 0 && target(j - 1) > target(j); --j)
        swap(j - 1, j);
    sorted_ = true;
  }
  void remove(int position) {
    Guard guard(lock_);
    check(position);
    hasChanged_ = true;
    for (int i = position; i + 1 < count_; ++i) {
      keys_[static_cast<size_t>(i)] = keys_[static_cast<size_t>(i + 1)];
      values_[static_cast<size_t>(i)] = values_[static_cast<size_t>(i + 1)];
    }
    --count_;
  }
  void removeRange(int start, int limit) {
    Guard guard(lock_);
    for (int i = start; i < limit; ++i)
      remove(start);
  }
  void removeAll() {
    hasChanged_ = true;
    count_ = 0;
    sorted_ = true;
  }
  void copyTo(DoubleIntIndex& other) {
    Guard guard(lock_);
    for (int i = 0; i < count_; ++i)
      other.addUnsorted(keys_[static_cast<size_t>(i)], values_[static_cast<size_t>(i)]);
  }
  bool isSorted() const { return sorted_; }
  bool hasChanged() const { return hasChanged_; }
  void setSize(int newSize) { count_ = newSize; }

private:
  using Guard = std::lock_guard<std::recursive_mutex>;
  void check(int i) const {
    if (i < 0 || i >= count_)
      throw std::out_of_range("index");
  }
  int target(int i) const {
    return sortOnValues_ ? values_[static_cast<size_t>(i)] : keys_[static_cast<size_t>(i)];
  }
  int findKey() const {
    for (int i = 0; i < count_; ++i)
      if (keys_[static_cast<size_t>(i)] == targetSearchValue_)
        return i;
    return -1;
  }
  void swap(int i, int j) {
    int key = keys_[static_cast<size_t>(i)], value = values_[static_cast<size_t>(i)];
    keys_[static_cast<size_t>(i)] = keys_[static_cast<size_t>(j)];
    values_[static_cast<size_t>(i)] = values_[static_cast<size_t>(j)];
    keys_[static_cast<size_t>(j)] = key;
    values_[static_cast<size_t>(j)] = value;
  }
  bool makeRoom() {
    if (count_ < capacity_)
      return true;
    if (fixedSize_)
      return false;
    capacity_ *= 2;
    keys_.resize(static_cast<size_t>(capacity_));
    values_.resize(static_cast<size_t>(capacity_));
    return true;
  }

  mutable std::recursive_mutex lock_;
  int count_;
  int capacity_;
  bool sorted_;
  bool sortOnValues_;
  bool hasChanged_;
  const bool fixedSize_;
  int targetSearchValue_;
  std::vector<int> keys_;
  std::vector<int> values_;
};
