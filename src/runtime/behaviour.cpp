#include "behaviour.h"

#include "arena.h"
#include "persistent.h"
#include "sites.h"

namespace heddle::rt {

namespace {

constexpr uint32_t kLocations = 1 << 14;

/// The last access to a location in this run; collisions only lose behaviours, never invent any.
struct LastAccess {
  uint64_t address;
  uint64_t identity;
  uint32_t run;
  uint32_t threadAndWrite;
};

LastAccess* table() {
  static_assert(sizeof(Persistent) < (1 << 20));
  return reinterpret_cast<LastAccess*>(kPersistentBase + (1 << 20));
}

void insert(uint64_t behaviour) {
  Persistent& state = persistent();
  BatchHeader* batch = state.batch;
  auto* slots =
      reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(batch) + batch->behaviourTable.offset);
  if (batch->behaviours >= kBehaviourSlots * 3ull / 4)
    return;
  auto i = static_cast<uint32_t>(behaviour >> 40) & (kBehaviourSlots - 1);
  while (slots[i] != 0 && slots[i] != behaviour)
    i = (i + 1) & (kBehaviourSlots - 1);
  if (slots[i] == behaviour)
    return;
  slots[i] = behaviour;
  batch->behaviours = batch->behaviours + 1;
  ++state.result.newBehaviours;
}

} // namespace

void createBehaviours() {
  mapShared(kPersistentBase + (1 << 20), kLocations * sizeof(LastAccess), "behaviours");
}

void beginBehaviours() { ++persistent().behaviourRun; }

void noteBehaviour(ThreadIndex thread, const PendingOperation& operation) {
  if (operation.address == 0 || persistent().behaviourRun == 0 || !persistent().batch)
    return;
  auto run = static_cast<uint32_t>(persistent().behaviourRun);
  LastAccess& last = table()[mix(0, operation.address) >> 50];
  bool write = isWrite(operation.kind);
  uint64_t identity = raw(identityOf(operation.site));
  uint32_t threadAndWrite = raw(thread) << 1 | write;
  if (last.run == run && last.address == operation.address &&
      last.threadAndWrite >> 1 != raw(thread) && (write || (last.threadAndWrite & 1)))
    insert(mix(last.identity, identity) | 1);
  last = {operation.address, identity, run, threadAndWrite};
}

} // namespace heddle::rt
