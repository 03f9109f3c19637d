#include "class_hash.h"

namespace heddle::explore {

namespace {

uint64_t hashOf(StepName name) { return mix(mix(0x73746570, name.thread), name.index); }

uint64_t hashOf(const Operation& operation) {
  uint64_t hash = mix(static_cast<uint64_t>(operation.kind), operation.object);
  hash = mix(mix(hash, operation.second), operation.address);
  hash = mix(mix(hash, operation.size), operation.argument);
  return mix(hash, operation.choice);
}

/// What the event reads, and with value schedules which write its own comes after.
uint64_t hashData(const Execution& execution, EventId id, Equivalence equivalence) {
  const Event& event = execution.event(id);
  uint64_t hash = 0;
  for (const DataAccess& access : event.data) {
    if (access.reads && access.source != kInitial)
      hash = mix(mix(hash, execution.cellName(access.cell)),
                 hashOf(execution.event(access.source).name));
    if (!access.writes || equivalence != Equivalence::ValueSchedules)
      continue;
    EventId before = kInitial;
    for (EventId writer : execution.writers(access.cell))
      if (writer < id)
        before = writer;
    if (before != kInitial)
      hash = mix(hash, hashOf(execution.event(before).name) + 1);
  }
  return hash;
}

/// The pasts have the order of all synchronization.
uint64_t hashPast(const Steps& past) {
  uint64_t sum = 0;
  for (size_t thread = 0; thread < past.size(); ++thread)
    if (past[thread] != 0)
      sum += mix(mix(0x70617374, thread), past[thread]);
  return sum;
}

} // namespace

uint64_t classHash(const Execution& execution, Equivalence equivalence) {
  uint64_t sum = 0;
  for (size_t id = 0; id < execution.events().size(); ++id) {
    const Event& event = execution.events()[id];
    uint64_t hash = mix(hashOf(event.name), hashOf(event.operation));
    hash = mix(hash, hashData(execution, static_cast<EventId>(id), equivalence));
    sum += mix(hash, hashPast(event.past));
  }
  return sum;
}

} // namespace heddle::explore
