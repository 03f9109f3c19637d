#include "runtime/sync/openmp_model.h"

#include "runtime/base/arena.h"
#include "runtime/base/real.h"
#include "runtime/sync/blocking.h"
#include "runtime/sync/ompt.h"

#include <dlfcn.h>
#include <stdlib.h>

/// OpenMP as clang's library (libomp) has it. Its threads are fibers like all others, but it orders
/// them by words in its own memory, which nobody sees. It tells tools what it does: this file is
/// such a tool, and makes events of it. What is told to whom follows Archer (Atzeni et al.:
/// ARCHER: Effectively Spotting Data Races in Large OpenMP Applications, IPDPS 2016, and its
/// version on OMPT in LLVM), which does the same for ThreadSanitizer.
///
/// Locks and critical sections become mutexes that block here, before libomp would spin.

using namespace heddle;
using namespace heddle::rt;
using namespace heddle::rt::ompt;

namespace {

/// Objects that events name: only their addresses mean something.
struct Team {
  char begin;
  char barriers[2]; ///< of the next barrier and the one after it, in turn
};

struct TaskGroup {
  char done;
  uint32_t running; ///< tasks that were begun and are not finished
  TaskGroup* outer;
};

enum class Wait : uint8_t { None, ForChildren, ForGroup };

struct Task {
  char created;
  char childrenDone;
  bool explicitTask;
  bool started;
  Wait wait;
  uint32_t runningChildren; ///< begun and not finished
  unsigned barrier;         ///< which one of the team's is next
  Team* team;
  Task* parent;
  TaskGroup* group;
  Task* outerImplicit; ///< what the thread was in before
  Dependence* dependences;
  int dependenceCount;
};

/// The implicit task that each thread is in.
HEDDLE_LARGE Task* implicitTasks[kMaxThreads];
/// The task that each thread has started or resumed last.
HEDDLE_LARGE Task* latestTasks[kMaxThreads];

template <typename T> T* make() { return static_cast<T*>(runAllocate(sizeof(T))); }

void release(const void* object) { note(EventKind::Release, object, 0); }
void acquire(const void* object) { note(EventKind::Acquire, object, 0); }

Task*& ownImplicit() { return implicitTasks[raw(self()->index())]; }

Task* taskOf(const Data* data) { return data ? static_cast<Task*>(data->pointer) : nullptr; }

Team* teamOf(Data* data) {
  if (!data->pointer)
    data->pointer = make<Team>();
  return static_cast<Team*>(data->pointer);
}

void parallelBegin(Data*, const void*, Data* parallel, unsigned, int, const void*) {
  if (controlled() && parallel)
    release(&teamOf(parallel)->begin);
}

void endImplicit() {
  if (Task* ended = ownImplicit())
    ownImplicit() = ended->outerImplicit;
}

void implicitTask(Endpoint endpoint, Data* parallel, Data* data, unsigned, unsigned, int) {
  if (!controlled())
    return;
  if (endpoint == Endpoint::End)
    return endImplicit();
  if (!parallel || !data)
    return;
  Task* task = make<Task>();
  task->team = teamOf(parallel);
  task->outerImplicit = ownImplicit();
  ownImplicit() = task;
  data->pointer = task;
  acquire(&task->team->begin);
}

/// The next barrier of the running thread's team.
char* nextBarrier() {
  Task* task = ownImplicit();
  return task ? &task->team->barriers[task->barrier % 2] : nullptr;
}

void passBarrier(Endpoint endpoint) {
  char* barrier = nextBarrier();
  if (!barrier)
    return;
  if (endpoint == Endpoint::Begin)
    return point(EventKind::Release, barrier);
  acquire(barrier);
  ++ownImplicit()->barrier;
}

void passTaskGroup(Endpoint endpoint, Task& task) {
  if (endpoint == Endpoint::Begin) {
    point(EventKind::Acquire, &task.childrenDone);
    TaskGroup* group = make<TaskGroup>();
    group->outer = task.group;
    task.group = group;
    return;
  }
  if (!task.group)
    return;
  acquire(&task.group->done);
  task.group = task.group->outer;
}

void awaitEnd(const uint32_t& running) {
  while (running != 0)
    blockOn(&running, WaitKind::Library, kNoDeadline);
}

/// libomp executes tasks that nobody has begun, and spins while others execute theirs.
void awaitOthers(const Task& task) {
  if (task.wait == Wait::ForChildren)
    awaitEnd(task.runningChildren);
  else if (task.wait == Wait::ForGroup && task.group)
    awaitEnd(task.group->running);
}

void syncRegionWait(SyncRegion kind, Endpoint endpoint, Data*, Data* data, const void*) {
  Task* task = taskOf(data);
  bool isTaskWait = kind == SyncRegion::TaskWait;
  if (!controlled() || !task || !(isTaskWait || kind == SyncRegion::TaskGroup))
    return;
  task->wait = endpoint == Endpoint::End ? Wait::None
               : isTaskWait              ? Wait::ForChildren
                                         : Wait::ForGroup;
  awaitOthers(*task);
}

void syncRegion(SyncRegion kind, Endpoint endpoint, Data*, Data* data, const void*) {
  if (!controlled())
    return;
  Task* task = taskOf(data);
  switch (kind) {
  case SyncRegion::TaskWait:
    if (task && endpoint == Endpoint::Begin)
      point(EventKind::Acquire, &task->childrenDone); // others may take the tasks
    else if (task)
      acquire(&task->childrenDone);
    return;
  case SyncRegion::TaskGroup:
    if (task)
      passTaskGroup(endpoint, *task);
    return;
  case SyncRegion::Reduction:
    return;
  }
  passBarrier(endpoint);
}

/// Inside of a barrier libomp calls the program's function that joins two threads' results: what
/// the others have told by coming to the barrier is known, and what comes out of it is told.
void reduction(SyncRegion, Endpoint endpoint, Data*, Data*, const void*) {
  char* barrier = controlled() ? nextBarrier() : nullptr;
  if (!barrier)
    return;
  if (endpoint == Endpoint::Begin)
    acquire(barrier);
  else
    release(barrier);
}

void taskCreate(Data* creator, const void*, Data* data, int flags, int, const void*) {
  if (!controlled() || !data || (flags & (kInitialTask | kImplicitTask)))
    return;
  Task* task = make<Task>();
  task->explicitTask = true;
  task->parent = taskOf(creator);
  task->team = task->parent ? task->parent->team : nullptr;
  task->group = task->parent ? task->parent->group : nullptr;
  data->pointer = task;
  release(&task->created);
}

void dependences(Data* data, const Dependence* list, int count) {
  Task* task = taskOf(data);
  if (!controlled() || !task || count <= 0)
    return;
  auto bytes = static_cast<size_t>(count) * sizeof(Dependence);
  task->dependences = static_cast<Dependence*>(runAllocate(bytes));
  for (int i = 0; i < count; ++i)
    task->dependences[i] = list[i];
  task->dependenceCount = count;
}

/// A variable stands for two objects: those who only read it wait for the last one who changed it,
/// those who change it for all before them.
const void* changesOf(const Dependence& dependence) { return dependence.variable.pointer; }
const void* readsOf(const Dependence& dependence) {
  constexpr uint64_t noUserAddress = 1ull << 47;
  return reinterpret_cast<const void*>(dependence.variable.value | noUserAddress);
}

bool sharesTurn(DependenceType type) {
  return type == DependenceType::In || type == DependenceType::InOutSet;
}

void acquireDependences(const Task& task) {
  for (int i = 0; i < task.dependenceCount; ++i) {
    const Dependence& dependence = task.dependences[i];
    acquire(changesOf(dependence));
    if (!sharesTurn(dependence.type))
      acquire(readsOf(dependence));
  }
}

void releaseDependences(const Task& task) {
  for (int i = 0; i < task.dependenceCount; ++i) {
    const Dependence& dependence = task.dependences[i];
    release(sharesTurn(dependence.type) ? readsOf(dependence) : changesOf(dependence));
  }
}

void countRunning(const Task& task, uint32_t change) {
  if (task.parent)
    task.parent->runningChildren += change;
  for (TaskGroup* group = task.group; group; group = group->outer)
    group->running += change;
}

void startTask(Task& task) {
  if (!task.explicitTask || task.started)
    return;
  task.started = true;
  countRunning(task, 1);
  acquire(&task.created);
  acquireDependences(task);
}

void wakeWaiters(const Task& task) {
  if (task.parent)
    wakeAll(&task.parent->runningChildren, WaitKind::Library);
  for (TaskGroup* group = task.group; group; group = group->outer)
    wakeAll(&group->running, WaitKind::Library);
}

void finishTask(Task& task) {
  if (!task.explicitTask)
    return;
  if (task.started) {
    task.started = false; // finished only once, also if it was detached
    countRunning(task, ~0u);
    wakeWaiters(task);
  }
  releaseDependences(task);
  if (task.parent)
    release(&task.parent->childrenDone);
  for (TaskGroup* group = task.group; group; group = group->outer)
    release(&group->done);
  if (char* barrier = nextBarrier()) // which it may be executed in
    release(barrier);
}

void taskSchedule(Data* prior, TaskStatus status, Data* next) {
  if (!controlled())
    return;
  if (Task* task = taskOf(prior)) {
    if (status == TaskStatus::WaitComplete)
      acquireDependences(*task);
    else if (status == TaskStatus::Complete || status == TaskStatus::Cancel ||
             status == TaskStatus::Detach || status == TaskStatus::LateFulfill)
      finishTask(*task);
  }
  Task* task = taskOf(next);
  if (!task || status == TaskStatus::LateFulfill)
    return;
  startTask(*task);
  latestTasks[raw(self()->index())] = task;
}

const void* lockOf(uint64_t wait) { return reinterpret_cast<const void*>(wait); }

bool isTest(ompt::Mutex kind) {
  return kind == ompt::Mutex::TestLock || kind == ompt::Mutex::TestNestLock;
}

int attemptLock(const void* lock) {
  Fiber* holder = holderOf(lock);
  return holder && holder != self() ? EBUSY : 0;
}

void lockMutex(const void* lock) {
  point(EventKind::MutexLock, lock);
  attemptUntil(EventKind::MutexLock, lock, WaitKind::Mutex, kForever,
               [=] { return attemptLock(lock); });
}

void unlockMutex(const void* lock) {
  released(lock);
  note(EventKind::MutexUnlock, lock, 0);
  wakeAll(lock, WaitKind::Mutex);
}

/// Before libomp tries: afterwards it would spin.
void mutexAcquire(ompt::Mutex kind, unsigned, unsigned, uint64_t wait, const void*) {
  if (!controlled() || kind == ompt::Mutex::Ordered)
    return;
  if (!isTest(kind))
    lockMutex(lockOf(wait));
  else if (attemptLock(lockOf(wait)) != 0)
    noteFutileAttempt(lockOf(wait));
}

void mutexAcquired(ompt::Mutex kind, uint64_t wait, const void*) {
  if (!controlled())
    return;
  if (kind == ompt::Mutex::Ordered)
    return acquire(lockOf(wait));
  if (isTest(kind))
    note(EventKind::MutexLock, lockOf(wait), 0);
  acquired(lockOf(wait));
  taken(lockOf(wait), WaitKind::Mutex);
}

void mutexReleased(ompt::Mutex kind, uint64_t wait, const void*) {
  if (!controlled())
    return;
  if (kind == ompt::Mutex::Ordered)
    release(lockOf(wait));
  else
    unlockMutex(lockOf(wait));
}

/// The lock was taken once more by who has it, or not for the last time given back.
void nestLock(Endpoint endpoint, uint64_t wait, const void*) {
  if (controlled() && endpoint == Endpoint::End)
    note(EventKind::MutexUnlock, lockOf(wait), 0);
}

constexpr const char* kBlockTime = "KMP_BLOCKTIME";
bool blockTimeSet = false;

int initialize(Lookup lookup, int, Data*) {
  if (blockTimeSet)
    unsetenv(kBlockTime);
  auto set = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
  if (!set)
    return 0;
  set(CallbackKind::ParallelBegin, reinterpret_cast<Callback>(parallelBegin));
  set(CallbackKind::ImplicitTask, reinterpret_cast<Callback>(implicitTask));
  set(CallbackKind::SyncRegion, reinterpret_cast<Callback>(syncRegion));
  set(CallbackKind::SyncRegionWait, reinterpret_cast<Callback>(syncRegionWait));
  set(CallbackKind::Reduction, reinterpret_cast<Callback>(reduction));
  set(CallbackKind::TaskCreate, reinterpret_cast<Callback>(taskCreate));
  set(CallbackKind::Dependences, reinterpret_cast<Callback>(dependences));
  set(CallbackKind::TaskSchedule, reinterpret_cast<Callback>(taskSchedule));
  set(CallbackKind::MutexAcquire, reinterpret_cast<Callback>(mutexAcquire));
  set(CallbackKind::MutexAcquired, reinterpret_cast<Callback>(mutexAcquired));
  set(CallbackKind::MutexReleased, reinterpret_cast<Callback>(mutexReleased));
  set(CallbackKind::NestLock, reinterpret_cast<Callback>(nestLock));
  return 1;
}

void finalize(Data*) {}

StartResult startResult = {initialize, finalize, {0}};

template <typename F> F next(const char* name) {
  return reinterpret_cast<F>(real::dlsym(RTLD_NEXT, name));
}

using Reduce = int32_t (*)(void*, int32_t, int32_t, size_t, void*, void (*)(void*, void*), void*);
using EndReduce = void (*)(void*, int32_t, void*);

/// 1: the caller joins its results with the others' in a critical section that no callback is told
/// of, until it says that it is done.
int32_t beginReduce(const char* name, void* place, int32_t thread, int32_t count, size_t size,
                    void* data, void (*join)(void*, void*), void* lock) {
  int32_t way = next<Reduce>(name)(place, thread, count, size, data, join, lock);
  if (way == 1 && controlled()) {
    note(EventKind::MutexLock, lock, 0);
    acquired(lock);
  }
  return way;
}

void endReduce(const char* name, void* place, int32_t thread, void* lock) {
  if (controlled() && holds(lock))
    unlockMutex(lock);
  next<EndReduce>(name)(place, thread, lock);
}

} // namespace

/// A task that waits and was resumed waits for what runs on other threads. It cannot do so as soon
/// as libomp tells of the resumption: the end of the task that was executed in the meantime is not
/// in libomp's own books yet, and who waits for that one would spin for ever. libomp gives way
/// after each task that a waiting thread has executed.
void heddle::rt::awaitOpenMPTasks() {
  if (const Task* task = latestTasks[raw(self()->index())])
    awaitOthers(*task);
}

/// libomp asks whoever defines this before it reads its settings. Threads that wait shall sleep at
/// once: while they spin, the only OS thread would do nothing else.
HEDDLE_INTERPOSE StartResult* ompt_start_tool(unsigned, const char*) {
  if (!controlled())
    return nullptr;
  blockTimeSet = !getenv(kBlockTime) && setenv(kBlockTime, "0", 0) == 0;
  return &startResult;
}

HEDDLE_INTERPOSE int32_t __kmpc_reduce(void* place, int32_t thread, int32_t count, size_t size,
                                       void* data, void (*join)(void*, void*), void* lock) {
  return beginReduce("__kmpc_reduce", place, thread, count, size, data, join, lock);
}
HEDDLE_INTERPOSE int32_t __kmpc_reduce_nowait(void* place, int32_t thread, int32_t count,
                                              size_t size, void* data, void (*join)(void*, void*),
                                              void* lock) {
  return beginReduce("__kmpc_reduce_nowait", place, thread, count, size, data, join, lock);
}
HEDDLE_INTERPOSE void __kmpc_end_reduce(void* place, int32_t thread, void* lock) {
  endReduce("__kmpc_end_reduce", place, thread, lock);
}
HEDDLE_INTERPOSE void __kmpc_end_reduce_nowait(void* place, int32_t thread, void* lock) {
  endReduce("__kmpc_end_reduce_nowait", place, thread, lock);
}
