#include "runtime/targets/meeting_side.h"

#include "runtime/memory/program_memory.h"
#include "runtime/trace/run_record.h"

#include <string.h>

namespace heddle::rt {

bool isAtTarget(const Fiber* fiber) { return fiber->view.pending.roles != 0; }

void describeSide(MeetingSide& side, const Fiber* fiber, uint32_t role) {
  bool recent = !isAtTarget(fiber);
  const PendingOperation& operation = recent ? fiber->recent.operation : fiber->view.pending;
  side.thread = raw(fiber->index());
  side.role = role;
  side.site = raw(operation.site);
  side.occurrence = recent ? fiber->recent.occurrence : fiber->targetOccurrence;
  side.size = operation.size;
  side.kind = operation.kind;
  side.address = operation.address;
  uint32_t bytes = side.size == 0 || side.size > sizeof side.value ? sizeof side.value : side.size;
  side.valueKnown = !isSync(operation.kind) && readMemory(side.address, bytes, side.value);
  side.frameCount = recent ? fiber->recent.frameCount : copyFrames(fiber, side.frames);
  if (recent)
    memcpy(side.frames, fiber->recent.frames, side.frameCount * sizeof(uint32_t));
  side.heldCount = static_cast<uint16_t>(fiber->heldCount);
  for (uint32_t i = 0; i < fiber->heldCount; ++i)
    side.held[i] = {reinterpret_cast<uintptr_t>(fiber->held[i].object), raw(fiber->held[i].site),
                    fiber->held[i].shared};
}

} // namespace heddle::rt
