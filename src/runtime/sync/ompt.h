#pragma once

#include <stdint.h>

/// The part of OMPT, OpenMP's interface for tools (OpenMP 5.1, chapter 4), that the model of OpenMP
/// uses. Declared here, because omp-tools.h comes with OpenMP's library, which most programs that
/// are built with heddle do not need.
namespace heddle::rt::ompt {

union Data {
  uint64_t value;
  void* pointer;
};

enum class CallbackKind : int {
  ParallelBegin = 3,
  TaskCreate = 5,
  TaskSchedule = 6,
  ImplicitTask = 7,
  SyncRegionWait = 16,
  MutexReleased = 17,
  Dependences = 18,
  SyncRegion = 23,
  MutexAcquire = 26,
  MutexAcquired = 27,
  NestLock = 28,
  Reduction = 31,
};

enum class Endpoint : int { Begin = 1, End = 2, BeginEnd = 3 };

enum class SyncRegion : int { TaskWait = 5, TaskGroup = 6, Reduction = 7 }; ///< others: barriers

enum class Mutex : int { Lock = 1, TestLock, NestLock, TestNestLock, Critical, Atomic, Ordered };

enum class TaskStatus : int {
  Complete = 1,
  Cancel = 3,
  Detach = 4,
  LateFulfill = 6,
  WaitComplete = 8
};

enum TaskFlags : int { kInitialTask = 1, kImplicitTask = 2 };

enum class DependenceType : int { In = 1, Out, InOut, MutexInOutSet, Source, Sink, InOutSet };

struct Dependence {
  Data variable;
  DependenceType type;
};

using Callback = void (*)();
using Lookup = Callback (*)(const char* name);
using SetCallback = int (*)(CallbackKind, Callback);

struct StartResult {
  int (*initialize)(Lookup, int, Data*);
  void (*finalize)(Data*);
  Data toolData;
};

} // namespace heddle::rt::ompt
