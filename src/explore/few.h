#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>

namespace heddle::explore {

/// A vector that keeps up to N elements in itself: a search makes very many short ones, and
/// allocating them took a third of its time. For plain data.
template <typename T, size_t N> class Few {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  Few() = default;
  Few(size_t count, const T& value) {
    reserve(count);
    std::fill_n(begin(), count, value);
    size_ = count;
  }
  Few(std::initializer_list<T> values) { assign(values.begin(), values.size()); }
  Few(const Few& other) { assign(other.data(), other.size()); }
  Few(Few&& other) noexcept : size_(other.size_), capacity_(other.capacity_) { takeFrom(other); }
  Few& operator=(const Few& other) {
    if (this != &other)
      assign(other.data(), other.size());
    return *this;
  }
  Few& operator=(Few&& other) noexcept {
    if (this == &other)
      return *this;
    size_ = other.size_;
    capacity_ = other.capacity_;
    takeFrom(other);
    return *this;
  }
  ~Few() = default;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return many_ ? many_.get() : few_; }
  const T* data() const { return many_ ? many_.get() : few_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  void push_back(const T& value) {
    T copy = value; // may be one of ours
    if (size_ == capacity_)
      reserve(capacity_ * 2);
    data()[size_++] = copy;
  }

  bool operator==(const Few& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }
  auto operator<=>(const Few& other) const {
    return std::lexicographical_compare_three_way(begin(), end(), other.begin(), other.end());
  }

private:
  void reserve(size_t count) {
    if (count <= capacity_)
      return;
    auto larger = std::make_unique<T[]>(count);
    std::copy_n(data(), size_, larger.get());
    many_ = std::move(larger);
    capacity_ = count;
  }
  void assign(const T* values, size_t count) {
    size_ = 0;
    reserve(count);
    std::copy_n(values, count, data());
    size_ = count;
  }
  void takeFrom(Few& other) {
    many_ = std::move(other.many_);
    if (!many_)
      std::copy_n(other.few_, size_, few_);
    other.size_ = 0;
    other.capacity_ = N;
  }

  size_t size_ = 0;
  size_t capacity_ = N;
  std::unique_ptr<T[]> many_;
  T few_[N];
};

} // namespace heddle::explore
