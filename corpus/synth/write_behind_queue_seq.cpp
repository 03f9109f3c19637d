#include "write_behind_queue.h"

int main() {
  std::shared_ptr<WriteBehindQueue> inner = WriteBehindQueues::createCoalescedWriteBehindQueue();
  std::shared_ptr<WriteBehindQueue> queue = WriteBehindQueues::createSafeWriteBehindQueue(inner);
  std::shared_ptr<WriteBehindQueue> more = WriteBehindQueues::createCoalescedWriteBehindQueue();
  queue->offer(std::make_shared<DelayedEntry>(1, 10));
  queue->addFront(*more);
  queue->addEnd(*more);
  (void)queue->get(0);
  (void)queue->contains(1);
  (void)queue->size();
  (void)queue->isEnabled();
  (void)queue->getSnapShot();
  (void)queue->remove(5);
  queue->removeFirst();
  (void)queue->removeAll();
  queue->clear();
}
