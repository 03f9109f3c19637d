#include "run_decoder.h"

#include "event_kinds.h"

#include <algorithm>
#include <cerrno>

namespace heddle::explore {

namespace {

constexpr uint64_t kMaxBytes = 0xffff; ///< what Event::size holds

/// An object that only its thread uses: what a nested lock touches.
uint64_t ownObject(uint64_t object, ThreadNumber thread) {
  return mix(mix(0x6e6573746564, object), thread);
}

} // namespace

RunDecoder::RunDecoder(ProgramKnowledge& knowledge, const SiteCatalog& sites, size_t knownThreads)
    : knowledge_(knowledge), sites_(sites), knownThreads_(knownThreads), listed_(sites.size() + 1) {
  for (uint32_t id = 1; id <= sites.size(); ++id)
    if (const SiteEntry* entry = sites.find(static_cast<SiteId>(id)))
      listed_[id] = knowledge.sites.contains(raw(entry->identity));
}

uint64_t RunDecoder::identityOf(SiteId site) const {
  const SiteEntry* entry = sites_.find(site);
  return entry ? raw(entry->identity) : raw(site);
}

DecodedRun RunDecoder::decode(std::span<const TraceEvent> events, const RunResult& result) {
  decodeOnce(events, result);
  if (knowledge_.sharing.foundMore())
    decodeOnce(events, result);
  return std::move(decoded_);
}

void RunDecoder::decodeOnce(std::span<const TraceEvent> events, const RunResult& result) {
  decoded_ = {};
  names_ = {};
  isVoid_.clear();
  locks_.clear();
  shared_.clear();
  waiters_.clear();
  changes_.clear();
  counts_.clear();
  written_.clear();
  wordUsers_.clear();
  clockReaders_.clear();
  threads_.assign(1, {});
  threads_[0].path = ThreadPath::Main;
  knowledge_.sharing.beginRun(knowledge_.threads.paths().size());
  for (const TraceEvent& event : events)
    take(event);
  finish(result);
}

RunDecoder::Thread& RunDecoder::threadOf(const TraceEvent& event) {
  if (event.thread >= threads_.size())
    threads_.resize(event.thread + size_t{1});
  return threads_[event.thread];
}

Operation& RunDecoder::addStep(Thread& thread, OperationKind kind, const TraceEvent& event) {
  Operation operation;
  operation.thread = thread.number;
  operation.kind = kind;
  operation.site = static_cast<SiteIdentity>(identityOf(static_cast<SiteId>(event.site)));
  operation.isValueKnown = operation.isObservedKnown = false;
  operation.isHalf = isHalfPoint(kindOf(event));
  decoded_.run.operations.push_back(operation);
  isVoid_.push_back(false);
  thread.lastStep = decoded_.run.operations.size();
  return decoded_.run.operations.back();
}

void RunDecoder::take(const TraceEvent& event) {
  EventKind kind = kindOf(event);
  if (event.result == kEventPending && kind != EventKind::Value)
    return takePending(event);
  if (isAccess(kind))
    return takeAccess(event);
  switch (kind) {
  case EventKind::Value:
    return takeValue(event);
  case EventKind::ThreadCreate:
  case EventKind::ThreadJoin:
    return takeThreadEvent(event);
  case EventKind::Allocate:
  case EventKind::Free:
    return takeHeapEvent(event);
  case EventKind::Fence:
  case EventKind::Spin:
  case EventKind::ThreadStart:
  case EventKind::ThreadDetach:
  case EventKind::Yield:
  case EventKind::Call:
  case EventKind::Return:
  case EventKind::Enter:
  case EventKind::Frame:
  case EventKind::Release:
  case EventKind::Acquire:
  case EventKind::UnseenCall:
    return;
  case EventKind::ThreadCancel:
    return caveat("threads are cancelled");
  case EventKind::Sleep:
    return caveat("sleeps end only when no other thread can run");
  case EventKind::ClockRead:
    clockReaders_.insert(threadOf(event).number);
    return;
  default:
    return takeSync(event);
  }
}

void RunDecoder::look(ThreadNumber thread, uint64_t address, uint64_t size, bool isWrite,
                      SiteId site, bool isStep) {
  if (!knowledge_.sharing.access(thread, address, size, isWrite))
    return;
  if (size >= kMaxBytes)
    caveat("an access to shared memory is so large that its end is not known");
  if (!isStep)
    decoded_.newSites.insert(identityOf(site));
}

void RunDecoder::takeAccess(const TraceEvent& event) {
  Thread& thread = threadOf(event);
  auto site = static_cast<SiteId>(event.site);
  EventKind kind = kindOf(event);
  if (event.size == 0 || event.address == 0)
    return;
  MemoryNames::Place place = names_.find(event.address);
  bool isStep = isAtomic(kind) || isListed(site);
  look(thread.number, place.address, event.size, isWrite(kind), site, isStep);
  if (!isStep)
    return;
  Operation& operation = addStep(thread, accessKind(kind), event);
  operation.address = place.address;
  operation.size = event.size;
  operation.object = place.block;
  operation.succeeded = !(event.result & kAccessFailed);
  if (!makeWordStep(operation))
    return;
  wordUsers_[operation.object][thread.number] = knowledge_.sharing.timeOf(thread.number);
  if (touchesPartOfWord(operation))
    caveat("a futex is accessed in parts");
}

void RunDecoder::takeThreadEvent(const TraceEvent& event) {
  Thread& thread = threadOf(event);
  if (kindOf(event) == EventKind::ThreadCreate) {
    if (event.size == 0) { // about to be made
      addStep(thread, OperationKind::Spawn, event);
      return;
    }
    size_t child = event.size - size_t{1};
    ThreadPath path = childPath(thread.path, ++thread.children);
    size_t step = thread.lastStep;
    ThreadNumber number = knowledge_.threads.of(path);
    ThreadNumber parent = thread.number;
    if (child >= threads_.size())
      threads_.resize(child + 1); // invalidates `thread`
    for (const Thread& other : threads_)
      decoded_.isOutOfOrder |= number >= knownThreads_ && other.number > number;
    threads_[child].path = path;
    threads_[child].number = number;
    knowledge_.sharing.created(parent, number);
    if (step != 0)
      decoded_.run.operations[step - 1].argument = number;
    return;
  }
  if (isOutcome(event))
    return settleAttempt(thread, event);
  if (event.size == 0 || event.size > threads_.size())
    return caveat("a thread is joined that is not known");
  Operation& operation = addStep(thread, OperationKind::Join, event);
  operation.argument = threads_[event.size - size_t{1}].number;
  thread.attempt = {EventKind::ThreadJoin, event.address, thread.lastStep - 1, false};
  knowledge_.sharing.joined(thread.number, operation.argument);
}

void RunDecoder::takeHeapEvent(const TraceEvent& event) {
  Thread& thread = threadOf(event);
  if (kindOf(event) == EventKind::Allocate)
    return names_.allocate(thread.number, event.address, lifetimeBytes(event));
  auto site = static_cast<SiteId>(event.site);
  MemoryNames::Place place = names_.find(event.address);
  bool isStep = isListed(site);
  look(thread.number, place.address, std::min(lifetimeBytes(event), kMaxBytes - 1), true, site,
       isStep);
  if (!isStep)
    return;
  if (isWordInUse(thread.number, place.address, lifetimeBytes(event)))
    caveat("a futex is freed while others may still use it");
  Operation& operation = addStep(thread, OperationKind::Free, event);
  operation.object = place.block;
}

/// Whether the event tells how an operation went on that is there already. Events about threads
/// have no room for the mark: they are told by what came before.
bool RunDecoder::isOutcome(const TraceEvent& event) const {
  if (kindOf(event) != EventKind::ThreadJoin)
    return event.size == kEventNote;
  const Attempt& attempt = threads_[event.thread].attempt;
  return attempt.kind == EventKind::ThreadJoin && attempt.object == event.address &&
         (attempt.isBusy || event.result != 0);
}

void RunDecoder::settleAttempt(Thread& thread, const TraceEvent& event) {
  Attempt& attempt = thread.attempt;
  if (attempt.kind != kindOf(event))
    return;
  Operation attempted = decoded_.run.operations[attempt.step];
  if (event.result == EBUSY && !attempt.isBusy) {
    // It waits now, or it was a try that failed; what it does next tells.
    attempt.isBusy = true;
    if (isShared(attempt.kind))
      --shared_[{thread.number, attempted.object}];
    Operation& operation = decoded_.run.operations[attempt.step];
    operation.kind = tryKind(operation.kind);
    operation.succeeded = false;
    if (operation.kind == attempted.kind && kindOf(event) != EventKind::MutexTryLock)
      isVoid_[attempt.step] = true;
    return;
  }
  if (event.result != 0)
    return caveat("a lock or wait that may fail in another way than by being held");
  if (attempt.isBusy) {
    isVoid_[attempt.step] = true;
    decoded_.run.operations.push_back(attempted);
    Operation& taken = decoded_.run.operations.back();
    taken.kind = thread.isWaiting ? OperationKind::Wake : waitingKind(attempt.kind);
    taken.succeeded = true;
    isVoid_.push_back(false);
    thread.lastStep = decoded_.run.operations.size();
    if (attempt.kind == EventKind::ThreadJoin)
      knowledge_.sharing.joined(thread.number, taken.argument);
  } else if (attempt.kind != EventKind::ThreadJoin) {
    Operation& operation = decoded_.run.operations[attempt.step];
    operation.kind = tryKind(operation.kind);
  }
  const Operation& done = decoded_.run.operations[thread.lastStep - 1];
  if (done.kind == OperationKind::SemaphoreWait && attempt.isBusy)
    --changes_[done.object];
  if (attempt.isBusy && (done.kind == OperationKind::Acquire || done.kind == OperationKind::Wake)) {
    locks_[done.kind == OperationKind::Wake ? done.second : done.object] = {thread.number, 1};
    thread.isWaiting = false;
  }
  if (attempt.isBusy && done.kind == OperationKind::AcquireShared)
    ++shared_[{thread.number, done.object}];
  attempt.kind = EventKind::Value;
}

void RunDecoder::takeSync(const TraceEvent& event) {
  Thread& thread = threadOf(event);
  EventKind kind = kindOf(event);
  uint64_t object = names_.find(event.address).address;
  if (event.result == kEventWakes)
    return takeWoken(event);
  if (isOutcome(event)) {
    if (isAttempt(kind))
      return settleAttempt(thread, event);
    if (kind == EventKind::MutexUnlock && thread.isWaiting)
      return takeWaitEvent(event, object);
    if ((kind == EventKind::OnceEnd || kind == EventKind::GuardRelease) && event.result != 0)
      decoded_.run.operations[thread.lastStep - 1].kind = OperationKind::OnceAbandon;
    if (kind == EventKind::FutexWait)
      noteFutex(event, object);
    return;
  }
  if (isAttempt(kind))
    return takeLock(event, object);
  switch (kind) {
  case EventKind::MutexUnlock:
  case EventKind::RwUnlock:
  case EventKind::SpinUnlock:
    return takeUnlock(event, object);
  case EventKind::CondWait:
  case EventKind::CondSignal:
  case EventKind::CondBroadcast:
    return takeWaitEvent(event, object);
  case EventKind::BarrierWait:
  case EventKind::BarrierLeave:
    return takeBarrier(event, object);
  case EventKind::SemPost:
    addStep(thread, OperationKind::SemaphorePost, event).object = object;
    return;
  case EventKind::OnceEnd:
  case EventKind::GuardRelease:
    addStep(thread, OperationKind::OnceEnd, event).object = object;
    return;
  case EventKind::ThreadExit:
  case EventKind::Exit:
    addStep(thread, OperationKind::Exit, event);
    return;
  case EventKind::Failure:
    addStep(thread, OperationKind::Fail, event);
    return;
  case EventKind::FutexWait:
  case EventKind::FutexWake:
  case EventKind::FutexLeave:
    return takeFutex(event, object);
  default: { // input, output and the rest: in conflict with each other on the same object
    Operation& operation = addStep(thread, OperationKind::Update, event);
    operation.address = mix(0x6f7574, object);
    operation.size = 1;
    return;
  }
  }
}

void RunDecoder::takeLock(const TraceEvent& event, uint64_t object) {
  Thread& thread = threadOf(event);
  EventKind kind = kindOf(event);
  bool isWake = kind == EventKind::MutexLock && thread.isWaiting;
  Operation& operation = addStep(thread, isWake ? OperationKind::Wake : waitingKind(kind), event);
  operation.object = isWake ? thread.condition : object;
  operation.second = isWake ? object : 0;
  thread.attempt = {kind, event.address, thread.lastStep - 1, false};
  if (kind == EventKind::GuardAcquire)
    decoded_.foundObjects |= knowledge_.guards.insert(object).second;
  if (kind == EventKind::OnceBegin || kind == EventKind::GuardAcquire || kind == EventKind::SemWait)
    return;
  Lock& lock = locks_[object];
  if (isShared(kind)) {
    ++shared_[{thread.number, object}];
  } else if (lock.depth != 0 && lock.owner == thread.number) {
    ++lock.depth;
    operation.object = ownObject(object, thread.number);
    operation.kind = OperationKind::Acquire;
  } else if (lock.depth == 0) {
    lock = {thread.number, 1};
    thread.isWaiting = false;
  }
}

bool RunDecoder::holdsForReading(const Thread& thread, uint64_t lock) const {
  auto held = shared_.find({thread.number, lock});
  return held != shared_.end() && held->second != 0;
}

void RunDecoder::takeUnlock(const TraceEvent& event, uint64_t object) {
  Thread& thread = threadOf(event);
  bool isForReading = holdsForReading(thread, object);
  Operation& operation =
      addStep(thread, isForReading ? OperationKind::ReleaseShared : OperationKind::Release, event);
  operation.object = object;
  if (isForReading) {
    --shared_[{thread.number, object}];
    return;
  }
  Lock& lock = locks_[object];
  if (lock.depth > 1)
    operation.object = ownObject(object, thread.number);
  if (lock.depth != 0)
    --lock.depth;
}

void RunDecoder::takeBarrier(const TraceEvent& event, uint64_t object) {
  Thread& thread = threadOf(event);
  thread.isInBarrier = kindOf(event) == EventKind::BarrierWait;
  if (thread.isInBarrier) {
    Operation& operation = addStep(thread, OperationKind::BarrierArrive, event);
    operation.object = object;
    operation.isOrdered = isResultUsed(static_cast<SiteId>(event.site));
    return;
  }
  Operation& operation = addStep(thread, OperationKind::BarrierDepart, event);
  operation.object = object;
  operation.argument = counts_[object];
}

void RunDecoder::takeWaitEvent(const TraceEvent& event, uint64_t object) {
  Thread& thread = threadOf(event);
  switch (kindOf(event)) {
  case EventKind::CondWait:
    addStep(thread, OperationKind::Wait, event).object = object;
    thread.isWaiting = true;
    thread.condition = object;
    waiters_[object].insert(thread.number);
    return;
  case EventKind::MutexUnlock: // of the wait
    decoded_.run.operations[thread.lastStep - 1].second = object;
    thread.mutex = object;
    locks_[object].depth = 0;
    return;
  case EventKind::CondSignal: {
    Operation& operation = addStep(thread, OperationKind::NotifyOne, event);
    operation.object = object;
    operation.choices = std::max<uint32_t>(1, static_cast<uint32_t>(waiters_[object].size()));
    return;
  }
  default:
    addStep(thread, OperationKind::NotifyAll, event).object = object;
    waiters_[object].clear();
    return;
  }
}

/// A notification has taken a waiter.
void RunDecoder::takeWoken(const TraceEvent& event) {
  Thread& thread = threadOf(event);
  if (thread.lastStep == 0 || event.size == 0 || event.size > threads_.size())
    return;
  Operation& operation = decoded_.run.operations[thread.lastStep - 1];
  if (operation.kind != OperationKind::NotifyOne)
    return;
  auto& waiting = waiters_[operation.object];
  auto found = waiting.find(threads_[event.size - size_t{1}].number);
  if (found == waiting.end())
    return;
  operation.choice = static_cast<uint32_t>(std::distance(waiting.begin(), found));
  waiting.erase(found);
}

} // namespace heddle::explore
