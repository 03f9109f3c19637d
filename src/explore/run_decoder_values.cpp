#include "run_decoder.h"

#include <algorithm>

/// The numbers that follow an operation in the trace: what it read, wrote, compares with or counts.
namespace heddle::explore {

/// The number that a semaphore or a barrier has before the operation.
void RunDecoder::takeCount(Operation& operation, uint64_t value) {
  if (operation.kind == OperationKind::BarrierArrive) {
    operation.argument = static_cast<uint32_t>(value);
    counts_[operation.object] = operation.argument;
    noteArrival(operation);
    return;
  }
  int64_t& change = changes_[operation.object];
  auto first = static_cast<uint32_t>(static_cast<int64_t>(value) - change);
  operation.argument = counts_.try_emplace(operation.object, first).first->second;
  if (operation.kind == OperationKind::SemaphorePost)
    ++change;
  else if (value != 0) // else it waits, or fails
    --change;
}

/// What was explored with arrivals that commute is void when it turns out that they do not.
void RunDecoder::noteArrival(Operation& operation) {
  auto& users = knowledge_.barriers[operation.object];
  size_t before = users.threads.size();
  users.threads.insert(operation.thread);
  bool wasOrdered = users.isOrdered;
  users.isOrdered |= operation.isOrdered || users.threads.size() > operation.argument;
  decoded_.foundObjects |= users.isOrdered && !wasOrdered && before != 0;
  operation.isOrdered = users.isOrdered;
}

/// What a compare-exchange or a wait on a word compares with; how many a wake-up takes.
void RunDecoder::takeExpected(Operation& operation, uint64_t value) {
  operation.expected = value;
  switch (operation.kind) {
  case OperationKind::Update:
    operation.kind = OperationKind::CompareExchange;
    return;
  case OperationKind::UpdateWord:
    operation.kind = OperationKind::CompareExchangeWord;
    return;
  case OperationKind::NotifyAll:
    if (value == 1)
      operation.kind = OperationKind::NotifyOne;
    else if (value < threads_.size())
      caveat("a futex wakes some of those who wait");
    return;
  default:
    return;
  }
}

void RunDecoder::takeInitial(const Operation& operation, uint64_t value) {
  auto found = knowledge_.words.find(operation.object);
  if (found != knowledge_.words.end() && !written_.contains(operation.object))
    found->second = static_cast<uint32_t>(value);
}

void RunDecoder::takeValue(const TraceEvent& event) {
  Thread& thread = threadOf(event);
  uint64_t value = uint64_t{event.address} | uint64_t{event.size} << 48;
  if (thread.pendingStep != 0)
    return takeExpected(decoded_.run.pending[thread.pendingStep - 1], value);
  if (thread.lastStep == 0)
    return;
  Operation& operation = decoded_.run.operations[thread.lastStep - 1];
  switch (operation.kind) {
  case OperationKind::SemaphoreWait:
  case OperationKind::SemaphorePost:
  case OperationKind::BarrierArrive:
    return takeCount(operation, value);
  default:
    break;
  }
  if (event.result == kValueExpected) {
    takeExpected(operation, value);
    if (operation.kind == OperationKind::NotifyOne && operation.isOnWord)
      operation.choices =
          std::max<uint32_t>(1, static_cast<uint32_t>(waiters_[operation.object].size()));
    else if (operation.kind == OperationKind::NotifyAll)
      waiters_[operation.object].clear();
  } else if (event.result == kValueObserved) {
    takeInitial(operation, value);
    bool isRead = operation.kind != OperationKind::Write;
    operation.observed = value;
    operation.isObservedKnown = isRead;
  } else if (operation.succeeded) {
    operation.value = value;
    operation.isValueKnown = true;
    if (!isData(operation.kind))
      written_.insert(operation.object);
  }
}

} // namespace heddle::explore
