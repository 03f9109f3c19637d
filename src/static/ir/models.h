#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"

#include <cstdint>

/// What functions without code in the program do, as far as the analyses care.
namespace heddle::analysis {

enum class Effect : uint8_t {
  Nothing,         ///< nothing that matters here
  Allocate,        ///< returns a new object that nobody has written to
  AllocateFilled,  ///< returns a new object with contents that are not known
  AllocateInto,    ///< stores the address of a new object where argument a points
  Reallocate,      ///< returns argument a's objects or a new one with the same contents
  Release,         ///< ends the life of argument a's object
  ReturnsArgument, ///< returns argument a
  CopyMemory,      ///< copies argument b's contents to a, and returns a
  Link, ///< stores the addresses of argument a, b and c into each other's objects (tree and list
        ///< nodes)
  CallsBack,         ///< calls argument a with argument b (if any) as its first
  CallsLater,        ///< the same, but not before this thread has gone on
  CallsAtExit,       ///< the same, when the program ends
  Exit,              ///< ends the program
  Keeps,             ///< keeps a copy of what argument a points at
  HandsOut,          ///< copies what was kept to where argument a points
  Throw,             ///< argument a is thrown
  Catch,             ///< returns what was thrown
  ThreadCreate,      ///< handle a; starts function b with c
  StateThreadCreate, ///< std::thread: handle a; starts the state object that *b owns
  ThreadJoin,        ///< argument a: the handle; b = 1 when it is the handle's address
  ThreadDetach,
  LockExclusive, ///< argument a
  LockShared,
  TryLockExclusive, ///< succeeded when it returns 0
  TryLockShared,
  Unlock,
  LockAll, ///< every argument, on return
  Wait,    ///< condition a with mutex b
  StdWait, ///< condition a with the lock object b
  Notify,
  Once, ///< flag a, function b
  BarrierWait,
  SemaphoreWait,
  SemaphorePost,
  GuardAcquire, ///< initialization of a static local
  GuardRelease,
};

/// Whether the result is a new object that nobody else knows.
inline bool returnsNew(Effect effect) {
  return effect == Effect::Allocate || effect == Effect::AllocateFilled;
}

inline constexpr int8_t kNoArgument = -1;

struct ExternalModel {
  Effect effect = Effect::Nothing;
  int8_t a = kNoArgument;
  int8_t b = kNoArgument;
  int8_t c = kNoArgument;
};

class Models {
public:
  Models();

  /// Null for functions that nothing is known of.
  const ExternalModel* find(const llvm::Function& function) const;
  /// Like find, but also for functions whose code is there and worse than the model.
  const ExternalModel* replacement(const llvm::Function& function) const;

private:
  llvm::StringMap<ExternalModel> byName_;
  ExternalModel nothing_;
  ExternalModel lockAll_;
  mutable llvm::DenseMap<const llvm::Function*, const ExternalModel*> cache_;
};

} // namespace heddle::analysis
