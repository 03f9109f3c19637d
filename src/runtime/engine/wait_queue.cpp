#include "runtime/engine/wait_queue.h"

#include "runtime/base/arena.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/memory/shared_memory.h"

#include <new>

namespace heddle::rt {

namespace {

constexpr uint32_t kBuckets = 256;
WaitQueue* buckets[kBuckets];
WaitQueue* unused = nullptr;

uint32_t bucketOf(const void* object, WaitKind kind) {
  uint64_t hash = mix(reinterpret_cast<uintptr_t>(object), static_cast<uint64_t>(kind));
  return static_cast<uint32_t>(hash >> 32) % kBuckets;
}

WaitQueue* makeQueue(const void* object, WaitKind kind) {
  WaitQueue* queue = unused;
  if (queue)
    unused = queue->next;
  else
    queue = static_cast<WaitQueue*>(runAllocate(sizeof(WaitQueue)));
  new (queue) WaitQueue{object, kind};
  WaitQueue*& bucket = buckets[bucketOf(object, kind)];
  queue->next = bucket;
  bucket = queue;
  return queue;
}

void dropQueue(WaitQueue* queue) {
  WaitQueue** link = &buckets[bucketOf(queue->object, queue->kind)];
  while (*link != queue)
    link = &(*link)->next;
  *link = queue->next;
  queue->next = unused;
  unused = queue;
}

} // namespace

WaitQueue* findQueue(const void* object, WaitKind kind) {
  object = memoryIdentity(object);
  for (WaitQueue* queue = buckets[bucketOf(object, kind)]; queue; queue = queue->next)
    if (queue->object == object && queue->kind == kind)
      return queue;
  return nullptr;
}

void enqueue(Fiber* fiber, const void* object, WaitKind kind) {
  object = memoryIdentity(object);
  fiber->waitObject = object;
  WaitQueue* queue = findQueue(object, kind);
  if (!queue)
    queue = makeQueue(object, kind);
  fiber->queue = queue;
  fiber->queueNext = nullptr;
  fiber->queuePrevious = queue->last;
  (queue->last ? queue->last->queueNext : queue->first) = fiber;
  queue->last = fiber;
  ++queue->count;
  ++scheduler.waiting[static_cast<uint32_t>(kind)];
}

void dequeue(Fiber* fiber) {
  WaitQueue* queue = fiber->queue;
  if (!queue)
    return;
  (fiber->queuePrevious ? fiber->queuePrevious->queueNext : queue->first) = fiber->queueNext;
  (fiber->queueNext ? fiber->queueNext->queuePrevious : queue->last) = fiber->queuePrevious;
  fiber->queue = nullptr;
  fiber->queueNext = fiber->queuePrevious = nullptr;
  --scheduler.waiting[static_cast<uint32_t>(queue->kind)];
  if (--queue->count == 0)
    dropQueue(queue);
}

} // namespace heddle::rt
