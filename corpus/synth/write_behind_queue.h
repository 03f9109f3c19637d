#pragma once
// After SynchronizedWriteBehindQueue of Hazelcast 3.3.2 with the queue that it wraps: its lock is
// its own, and not that of the wrapped queue.
#include <map>
#include <memory>
#include <mutex>
#include <vector>

struct DelayedEntry {
  DelayedEntry(int k, int v) : key(k), value(v) {}
  int key;
  int value;
};
using Entry = std::shared_ptr<DelayedEntry>;

class WriteBehindQueue {
public:
  virtual ~WriteBehindQueue() = default;
  virtual bool offer(Entry entry) = 0;
  virtual void removeFirst() = 0;
  virtual Entry get(int index) const = 0;
  virtual Entry remove(int index) = 0;
  virtual int size() const = 0;
  virtual void clear() = 0;
  virtual std::shared_ptr<WriteBehindQueue> getSnapShot() const = 0;
  virtual void addFront(const WriteBehindQueue& other) = 0;
  virtual void addEnd(const WriteBehindQueue& other) = 0;
  virtual int removeAll() = 0;
  virtual bool isEnabled() const = 0;
  virtual bool contains(int key) const = 0;
};

class CoalescedWriteBehindQueue : public WriteBehindQueue {
public:
  bool offer(Entry entry) override {
    int key = entry->key;
    queue_[key] = std::move(entry);
    return true;
  }
  void removeFirst() override {
    if (!queue_.empty())
      queue_.erase(queue_.begin());
  }
  Entry get(int index) const override {
    auto at = queue_.begin();
    for (int i = 0; i < index && at != queue_.end(); ++i)
      ++at;
    return at == queue_.end() ? nullptr : at->second;
  }
  Entry remove(int index) override {
    Entry found = get(index);
    if (found)
      queue_.erase(found->key);
    return found;
  }
  int size() const override { return static_cast<int>(queue_.size()); }
  void clear() override { queue_.clear(); }
  std::shared_ptr<WriteBehindQueue> getSnapShot() const override {
    auto copy = std::make_shared<CoalescedWriteBehindQueue>();
    copy->queue_ = queue_;
    return copy;
  }
  void addFront(const WriteBehindQueue& other) override { addEnd(other); }
  void addEnd(const WriteBehindQueue& other) override {
    for (int i = 0; i < other.size(); ++i)
      if (Entry entry = other.get(i))
        offer(entry);
  }
  int removeAll() override {
    int count = size();
    clear();
    return count;
  }
  bool isEnabled() const override { return true; }
  bool contains(int key) const override { return queue_.count(key) != 0; }

private:
  std::map<int, Entry> queue_;
};

/// Thread safe write behind queue.
class SynchronizedWriteBehindQueue : public WriteBehindQueue {
public:
  explicit SynchronizedWriteBehindQueue(std::shared_ptr<WriteBehindQueue> queue)
      : queue_(std::move(queue)) {}
  bool offer(Entry entry) override {
    Guard guard(mutex_);
    return queue_->offer(std::move(entry));
  }
  void removeFirst() override {
    Guard guard(mutex_);
    queue_->removeFirst();
  }
  Entry get(int index) const override {
    Guard guard(mutex_);
    return queue_->get(index);
  }
  Entry remove(int index) override {
    Guard guard(mutex_);
    return queue_->remove(index);
  }
  int size() const override {
    Guard guard(mutex_);
    return queue_->size();
  }
  void clear() override {
    Guard guard(mutex_);
    queue_->clear();
  }
  std::shared_ptr<WriteBehindQueue> getSnapShot() const override {
    Guard guard(mutex_);
    return queue_->getSnapShot();
  }
  void addFront(const WriteBehindQueue& other) override {
    Guard guard(mutex_);
    queue_->addFront(other);
  }
  void addEnd(const WriteBehindQueue& other) override {
    Guard guard(mutex_);
    queue_->addEnd(other);
  }
  int removeAll() override {
    Guard guard(mutex_);
    return queue_->removeAll();
  }
  bool isEnabled() const override {
    Guard guard(mutex_);
    return queue_->isEnabled();
  }
  bool contains(int key) const override {
    Guard guard(mutex_);
    return queue_->contains(key);
  }

private:
  using Guard = std::lock_guard<std::recursive_mutex>;
  const std::shared_ptr<WriteBehindQueue> queue_;
  mutable std::recursive_mutex mutex_;
};

class WriteBehindQueues {
public:
  static std::shared_ptr<WriteBehindQueue>
  createSafeWriteBehindQueue(std::shared_ptr<WriteBehindQueue> queue) {
    return std::make_shared<SynchronizedWriteBehindQueue>(std::move(queue));
  }
  static std::shared_ptr<WriteBehindQueue> createCoalescedWriteBehindQueue() {
    return std::make_shared<CoalescedWriteBehindQueue>();
  }
};
