#include "static/ir/models.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

/// gcc's wrappers around pthread are internal functions of every unit; their branch for programs
/// without threads would empty every lock set.
StringRef wrapped(StringRef name) {
  size_t at = name.find("__gthread_");
  if (!name.starts_with("_ZL") || at > 6)
    return "";
  return StringSwitch<StringRef>(name.substr(at))
      .StartsWith("__gthread_mutex_lock", "pthread_mutex_lock")
      .StartsWith("__gthread_mutex_trylock", "pthread_mutex_trylock")
      .StartsWith("__gthread_mutex_timedlock", "pthread_mutex_timedlock")
      .StartsWith("__gthread_mutex_unlock", "pthread_mutex_unlock")
      .StartsWith("__gthread_recursive_mutex_lock", "pthread_mutex_lock")
      .StartsWith("__gthread_recursive_mutex_trylock", "pthread_mutex_trylock")
      .StartsWith("__gthread_recursive_mutex_timedlock", "pthread_mutex_timedlock")
      .StartsWith("__gthread_recursive_mutex_unlock", "pthread_mutex_unlock")
      .StartsWith("__gthread_once", "pthread_once")
      .StartsWith("__gthread_join", "pthread_join")
      .StartsWith("__gthread_detach", "pthread_detach")
      .StartsWith("__gthread_cond_timedwait", "pthread_cond_timedwait")
      .Default("");
}

/// libstdc++'s wrappers of rwlocks, internal too: `std::__glibcxx_rwlock_rdlock`.
StringRef wrappedRwlock(StringRef name) {
  size_t at = name.find("__glibcxx_rwlock_");
  if (!name.starts_with("_ZNSt") && !name.starts_with("_ZSt") && !name.starts_with("_ZL"))
    return "";
  if (at > 10)
    return "";
  return StringSwitch<StringRef>(name.substr(at))
      .StartsWith("__glibcxx_rwlock_rdlock", "pthread_rwlock_rdlock")
      .StartsWith("__glibcxx_rwlock_tryrdlock", "pthread_rwlock_tryrdlock")
      .StartsWith("__glibcxx_rwlock_wrlock", "pthread_rwlock_wrlock")
      .StartsWith("__glibcxx_rwlock_trywrlock", "pthread_rwlock_trywrlock")
      .StartsWith("__glibcxx_rwlock_unlock", "pthread_rwlock_unlock")
      .StartsWith("__glibcxx_rwlock_timedrdlock", "pthread_rwlock_timedrdlock")
      .StartsWith("__glibcxx_rwlock_timedwrlock", "pthread_rwlock_timedwrlock")
      .Default("");
}

/// Functions of the C++ library that keep nothing of what they are given: streams, strings,
/// exceptions. Those that matter have rows of their own.
bool isQuietLibrary(StringRef name) {
  return name.starts_with("_ZNSt") || name.starts_with("_ZNKSt") || name.starts_with("_ZSt") ||
         name.starts_with("_ZNSo") || name.starts_with("_ZNSi") || name.starts_with("_ZNSs") ||
         name.starts_with("_ZTv") || name.starts_with("__cxa_") ||
         name.starts_with("_ZN9__gnu_cxx") || name.starts_with("__heddle_") ||
         name.starts_with("heddle_") || name.starts_with("_ZTH");
}

/// Allocators that the C++ library has instantiated itself, and std::string's own.
bool isLibraryAllocation(StringRef name) {
  return (name.starts_with("_ZNSt") || name.starts_with("_ZNSa") ||
          name.starts_with("_ZN9__gnu")) &&
         ((name.contains("alloc") && name.contains("8allocateE")) ||
          name.contains("9_M_createERmm"));
}

/// std::thread's constructor hands the state over to the thread: what it destroys is empty.
bool isHandedOverState(StringRef name) {
  return name.starts_with("_ZNSt10unique_ptrINSt6thread6_StateESt14default_deleteIS1_EED");
}

/// Within std::condition_variable_any::wait the caller's lock is given back and taken again: it is
/// held again when wait returns, as with any other condition. Its code cannot tell, because it
/// swallows exceptions of lock() when it is called during another exception.
bool isWaitsUnlock(StringRef name) {
  return name.starts_with("_ZNSt") && name.contains("22condition_variable_any7_UnlockI") &&
         (name.contains("EC1ERS") || name.contains("EC2ERS") || name.ends_with("ED1Ev") ||
          name.ends_with("ED2Ev"));
}

} // namespace

Models::Models() {
#define HEDDLE_MODEL(name, effect, a, b, c) byName_[#name] = {Effect::effect, a, b, c};
#include "static/ir/models.def"
#undef HEDDLE_MODEL
#define HEDDLE_QUIET(name) byName_[#name] = {};
#include "static/ir/quiet.def"
#undef HEDDLE_QUIET
  lockAll_.effect = Effect::LockAll;
}

const ExternalModel* Models::find(const Function& function) const {
  auto [entry, isNew] = cache_.try_emplace(&function, nullptr);
  if (!isNew)
    return entry->second;
  StringRef name = function.getName();
  if (auto found = byName_.find(name); found != byName_.end())
    entry->second = &found->second;
  else if (isLibraryAllocation(name))
    entry->second = &byName_.find("_Znwm")->second;
  else if (isQuietLibrary(name) || function.hasAvailableExternallyLinkage())
    entry->second = &nothing_;
  return entry->second;
}

const ExternalModel* Models::replacement(const Function& function) const {
  if (function.isDeclaration())
    return nullptr;
  StringRef name = function.getName();
  StringRef real = wrapped(name);
  if (real.empty())
    real = wrappedRwlock(name);
  if (!real.empty())
    return &byName_.find(real)->second;
  if (name.starts_with("_ZSt4lockI"))
    return &lockAll_;
  if (isHandedOverState(name) || isWaitsUnlock(name))
    return &nothing_;
  return nullptr;
}

} // namespace heddle::analysis
