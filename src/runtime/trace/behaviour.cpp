#include "runtime/trace/behaviour.h"

#include "runtime/base/arena.h"
#include "runtime/base/persistent.h"
#include "runtime/trace/sites.h"

namespace heddle::rt {

namespace {

/// Most programs have few locations that several threads use: they fit into the first table, so
/// that a forked run touches few pages.
constexpr uint32_t kFewLocations = 1 << 8;
constexpr uint32_t kLocations = 1 << 14;

/// The last access to a location in this run; collisions only lose behaviours, never invent any.
struct LastAccess {
  uint64_t address;
  uint64_t identity;
  uint32_t run;
  uint32_t threadAndWrite;
};

LastAccess& locationOf(uint64_t address, uint32_t run) {
  auto* few = reinterpret_cast<LastAccess*>(kSharedTableBase);
  static_assert((kFewLocations + kLocations) * sizeof(LastAccess) <= kSharedTableBytes);
  uint64_t hash = mix(0, address);
  LastAccess& first = few[hash % kFewLocations];
  if (first.run != run || first.address == address)
    return first;
  return few[kFewLocations + (hash >> 50)];
}

void insertIntoSet(uint64_t behaviour) {
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
  auto* log =
      reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(batch) + batch->behaviourLog.offset);
  log[batch->behaviours] = behaviour;
  batch->behaviours = batch->behaviours + 1;
  ++state.result.newBehaviours;
}

/// A forked run leaves its behaviours to the server, whose pages of the set exist already.
void insert(uint64_t behaviour) {
  if (!persistent().forkChild)
    return insertIntoSet(behaviour);
  constexpr uint32_t attempts = 8;
  for (uint32_t i = 0; i < attempts; ++i) {
    uint64_t& slot = persistent().behaviours[((behaviour >> 8) + i) % kLeftBehaviours];
    if (slot == 0)
      slot = behaviour;
    if (slot == behaviour)
      return;
  }
  insertIntoSet(behaviour);
}

} // namespace

void collectBehaviours() {
  for (uint64_t& behaviour : persistent().behaviours) {
    if (behaviour != 0)
      insertIntoSet(behaviour);
    behaviour = 0;
  }
}

void beginBehaviours() { ++persistent().behaviourRun; }

void noteBehaviour(ThreadIndex thread, const PendingOperation& operation) {
  if (operation.address == 0 || persistent().behaviourRun == 0 || !persistent().batch)
    return;
  auto run = static_cast<uint32_t>(persistent().behaviourRun);
  LastAccess& last = locationOf(operation.address, run);
  bool write = isWrite(operation.kind);
  uint64_t identity = raw(identityOf(operation.site));
  uint32_t threadAndWrite = raw(thread) << 1 | write;
  if (last.run == run && last.address == operation.address &&
      last.threadAndWrite >> 1 != raw(thread) && (write || (last.threadAndWrite & 1)))
    insert(mix(last.identity, identity) | 1);
  last = {operation.address, identity, run, threadAndWrite};
}

} // namespace heddle::rt
