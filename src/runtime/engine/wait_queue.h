#pragma once

#include "runtime/core/fiber.h"

/// Who waits for what. Queues are found by (object, kind) in a hash table and kept in order of
/// arrival.
namespace heddle::rt {

struct WaitQueue {
  const void* object = nullptr;
  WaitKind kind = WaitKind::None;
  uint32_t count = 0;
  Fiber* first = nullptr;
  Fiber* last = nullptr;
  WaitQueue* next = nullptr; ///< in its bucket, or in the free list
};

/// The queue, or null when nobody waits.
WaitQueue* findQueue(const void* object, WaitKind kind);
void enqueue(Fiber* fiber, const void* object, WaitKind kind);
/// Takes the fiber out of its queue; an empty queue disappears.
void dequeue(Fiber* fiber);

} // namespace heddle::rt
