#pragma once
// A queue that locks, but for one method that looks without the lock.
#include <deque>
#include <mutex>
#include <optional>

namespace shop {

class Queue {
public:
  void push(int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    items_.push_back(value);
    ++pushed_;
  }
  std::optional<int> pop() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (items_.empty())
      return std::nullopt;
    int first = items_.front();
    items_.pop_front();
    return first;
  }
  int pushed() const { return pushed_; }
  void drain(Queue& other) {
    while (std::optional<int> one = pop())
      other.push(*one);
  }

private:
  mutable std::mutex mutex_;
  std::deque<int> items_;
  int pushed_ = 0;
};

class Account {
public:
  explicit Account(int balance) : balance_(balance) {}
  // Looks under the lock, and takes under it again.
  bool withdraw(int amount) {
    if (balance() < amount)
      return false;
    std::lock_guard<std::mutex> guard(mutex_);
    balance_ -= amount;
    ++withdrawals;
    return true;
  }
  int balance() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return balance_;
  }
  int withdrawals = 0;

private:
  mutable std::mutex mutex_;
  int balance_;
};

} // namespace shop
