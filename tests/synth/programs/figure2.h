#pragma once
// Figure 2 of the paper as C++ classes: the wrapper locks itself, and not what it wraps.
#include <mutex>

class WriteBehindQueue {
public:
  virtual ~WriteBehindQueue() = default;
  virtual void removeFirst() = 0;
};

class CoalescedWriteBehindQueue : public WriteBehindQueue {
public:
  void removeFirst() override {
    if (size > 0)
      size--;
  }

private:
  int size = 10;
};

class SynchronizedWriteBehindQueue : public WriteBehindQueue {
public:
  explicit SynchronizedWriteBehindQueue(WriteBehindQueue* wrapped)
      : queue(wrapped), mutex(&own) {}
  void removeFirst() override {
    std::lock_guard<std::mutex> guard(*mutex);
    queue->removeFirst();
  }

private:
  std::mutex own;
  WriteBehindQueue* queue;
  std::mutex* mutex;
};

inline WriteBehindQueue* createCoalescedWriteBehindQueue() {
  return new CoalescedWriteBehindQueue();
}
inline WriteBehindQueue* createSafeWriteBehindQueue(WriteBehindQueue* queue) {
  return new SynchronizedWriteBehindQueue(queue);
}
