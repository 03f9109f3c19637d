#include "static/ir/standard_library.h"

#include "model/library_paths.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

std::string pathOf(const DIFile* file) {
  if (!file)
    return {};
  return file->getFilename().starts_with("/")
             ? file->getFilename().str()
             : (file->getDirectory() + "/" + file->getFilename()).str();
}

std::string fileOf(const Function& function) {
  const DISubprogram* subprogram = function.getSubprogram();
  return pathOf(subprogram ? subprogram->getFile() : nullptr);
}

std::string fileOf(const GlobalVariable& variable) {
  SmallVector<DIGlobalVariableExpression*, 1> debug;
  variable.getDebugInfo(debug);
  return pathOf(debug.empty() ? nullptr : debug[0]->getVariable()->getFile());
}

bool startsWithOneOf(StringRef name, std::initializer_list<const char*> starts) {
  return any_of(starts, [&](const char* each) { return name.starts_with(each); });
}

/// gcc's wrappers around pthread are internal functions of every unit; their branch for programs
/// without threads would empty every lock set.
StringRef wrappedThreads(StringRef name) {
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
  if (!startsWithOneOf(name, {"_ZNSt", "_ZSt", "_ZL"}) || at > 10)
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

} // namespace

// --- where it stands

bool isLibrary(const Function& function) { return isLibraryPath(fileOf(function)); }

bool isStandard(const Function& function) { return isStandardPath(fileOf(function)); }

bool isLibrary(const GlobalVariable& variable) { return isLibraryPath(fileOf(variable)); }

bool isStandard(const GlobalVariable& variable) { return isStandardPath(fileOf(variable)); }

bool isStandard(const DICompositeType& type) {
  return startsWithOneOf(type.getIdentifier(), {"_ZTSSt", "_ZTSNSt", "_ZTSN9__gnu_cxx"});
}

bool isStandardName(StringRef name) {
  return startsWithOneOf(name, {"_ZSt", "_ZNSt", "_ZN9__gnu_cxx"});
}

// --- functions of any class

bool isObjectDestructor(StringRef name) { return name.ends_with("D1Ev") || name.ends_with("D2Ev"); }

bool isDestructor(StringRef name) { return name.ends_with("D0Ev") || isObjectDestructor(name); }

bool isStaticGuard(const GlobalVariable& variable) {
  return variable.getName().starts_with("_ZGV");
}

// --- functions without models

bool isQuietLibrary(StringRef name) {
  return startsWithOneOf(name, {"_ZNSt", "_ZNKSt", "_ZSt", "_ZNSo", "_ZNSi", "_ZNSs", "_ZTv",
                                "__cxa_", "_ZN9__gnu_cxx", "__heddle_", "heddle_", "_ZTH"});
}

bool isLibraryAllocation(StringRef name) {
  return startsWithOneOf(name, {"_ZNSt", "_ZNSa", "_ZN9__gnu"}) &&
         ((name.contains("alloc") && name.contains("8allocateE")) ||
          name.contains("9_M_createERmm"));
}

StringRef wrappedFunction(StringRef name) {
  StringRef wrapped = wrappedThreads(name);
  return wrapped.empty() ? wrappedRwlock(name) : wrapped;
}

bool isPlainAllocation(StringRef name) {
  return name == "malloc" || name.starts_with("_Znwm") || name.starts_with("_Znam");
}

// --- threads and locks

bool isThreadMove(StringRef name) {
  return name == "_ZNSt6threadC1EOS_" || name == "_ZNSt6threadC2EOS_" ||
         name == "_ZNSt6threadaSEOS_";
}

bool isThreadAssignment(StringRef name) { return name.starts_with("_ZNSt6threadaS"); }

bool isThreadSwap(StringRef name) { return name == "_ZNSt6thread4swapERS_"; }

bool isJoinable(StringRef name) {
  return name == "_ZNKSt6thread8joinableEv" || name == "_ZNKSt7jthread8joinableEv";
}

bool isHandedOverState(StringRef name) {
  return name.starts_with("_ZNSt10unique_ptrINSt6thread6_StateESt14default_deleteIS1_EED");
}

bool isLockObjectMember(StringRef name) {
  return isUniqueLockMember(name) || name.contains("St11shared_lock");
}

bool isUniqueLockMember(StringRef name) { return name.contains("St11unique_lock"); }

bool takesMutex(StringRef name) { return name.contains("C1ER") || name.contains("C2ER"); }

bool tellsWhetherLocked(StringRef name) {
  return name.contains("owns_lock") || name.contains("cvb");
}

bool isLockOfSeveral(StringRef name) { return name.starts_with("_ZSt4lockI"); }

bool isSynchronization(StringRef name) {
  if (isOwnerCount(name))
    return true;
  // Their own members only: a map of mutexes is a map.
  if (!name.consume_front("_ZNK") && !name.consume_front("_ZN"))
    return false;
  return startsWithOneOf(name,
                         {"St10lock_guard", "St11unique_lock", "St11scoped_lock", "St11shared_lock",
                          "St5mutex", "St12__mutex_base", "St18condition_variable", "St6thread"});
}

bool isWaitsUnlock(StringRef name) {
  return name.starts_with("_ZNSt") && name.contains("22condition_variable_any7_UnlockI") &&
         (name.contains("EC1ERS") || name.contains("EC2ERS") || name.ends_with("ED1Ev") ||
          name.ends_with("ED2Ev"));
}

bool isFutureWait(StringRef name) { return name == "_ZNSt13__future_base13_State_baseV24waitEv"; }

bool isFutureSet(StringRef name) {
  return name.starts_with("_ZNSt13__future_base13_State_baseV213_M_set_resultE");
}

bool isAsync(StringRef name) { return name.starts_with("_ZSt5asyncI"); }

bool isDeferredState(StringRef name) { return name.contains("15_Deferred_stateI"); }

bool isCallOnce(StringRef name) { return name.starts_with("_ZSt9call_onceI"); }

bool isOncePreparation(StringRef name) {
  return name.starts_with("_ZNSt9once_flag18_Prepare_executionC");
}

std::string onceClosure(StringRef callOnce) {
  return ("_ZZ" + callOnce.drop_front(2) + "ENKUlvE_clEv").str();
}

// --- owners

bool isOwnerCount(StringRef name) {
  return name.starts_with("_ZNSt16_Sp_counted_baseI") ||
         (name.starts_with("_ZN9__gnu_cxx") &&
          (name.contains("__exchange_and_add") || name.contains("__atomic_add")));
}

bool countsOwners(StringRef name) {
  return name.contains("_Sp_counted") || name.contains("__shared_count") ||
         name.contains("_Sp_alloc_shared");
}

bool isLastOwners(StringRef name) {
  return name.starts_with("_ZNSt") && name.contains("_Sp_counted_") &&
         (name.ends_with("10_M_disposeEv") || name.ends_with("10_M_destroyEv"));
}

bool isAtomicPointer(StringRef name) {
  bool function = name.starts_with("_ZSt") && name.contains("atomic_") &&
                  name.contains("_explicitI") && name.contains("shared_ptr");
  bool member = startsWithOneOf(name, {"_ZNSt10_Sp_atomicI", "_ZNKSt10_Sp_atomicI"});
  bool structor = name.contains("EEC2E") || name.contains("EED2E");
  return function || (member && !structor);
}

bool isOwnerMember(StringRef name) {
  return name.consume_front("_ZN") &&
         startsWithOneOf(name, {"St10unique_ptrI", "St10shared_ptrI", "St12__shared_ptrI",
                                "St14__shared_countI", "St8weak_ptrI", "St10__weak_ptrI",
                                "St12__weak_countI", "St8functionI", "St6vectorI", "St6threadC",
                                "St6threadaS", "St6threadD", "St6futureI", "St7promiseI",
                                "St13packaged_taskI", "St11unique_lockI"});
}

bool isUniquePointerMember(StringRef name) { return name.starts_with("_ZNSt10unique_ptrI"); }

bool isUniquePointerRelease(StringRef name) {
  return isUniquePointerMember(name) && name.ends_with("7releaseEv");
}

bool isFunctionManager(StringRef name) {
  return name.starts_with("_ZNSt") && name.contains("10_M_managerERSt9_Any_data");
}

bool isFunctionStorage(StringRef name) {
  return name.starts_with("_ZNSt14_Function_base13_Base_managerI") &&
         (name.contains("14_M_get_pointerE") || name.contains("10_M_destroyE"));
}

bool isFunctionTarget(StringRef name) {
  return name.starts_with("_ZN") && name.contains("St8functionI") &&
         (name.contains("6targetI") || name.contains("11target_type"));
}

// --- classes, as debug information names them

bool isStringClass(const DICompositeType& type) {
  return type.getIdentifier().starts_with("_ZTSNSt7__cxx1112basic_stringI");
}

bool isStringPointer(const DICompositeType& type) { return type.getName() == "_Alloc_hider"; }

bool isOwnerClass(const DICompositeType& type) {
  StringRef name = type.getName();
  return name == "_Vector_impl_data" || name == "_Deque_impl_data" || isStringPointer(type) ||
         name == "_List_node_base" || name == "_Rb_tree_node_base" || isHashNode(type) ||
         (name.starts_with("unique_ptr<") && type.getSizeInBits() == 64); // the deleter is empty
}

bool isHashTable(const DICompositeType& type) { return type.getName().starts_with("_Hashtable<"); }

bool isHashNode(const DICompositeType& type) { return type.getName() == "_Hash_node_base"; }

bool isObjectRoom(const DICompositeType& type) {
  return startsWithOneOf(type.getName(), {"__aligned_membuf<", "__aligned_buffer<"});
}

bool isSharedBlock(const DICompositeType& type) {
  return type.getName().starts_with("_Sp_counted_ptr_inplace<");
}

// --- std::atomic

AtomicDecrement atomicDecrement(StringRef name) {
  if (!name.starts_with("_ZNSt13__atomic_baseI"))
    return AtomicDecrement::None;
  if (name.contains("E9fetch_subE"))
    return AtomicDecrement::FetchSub;
  if (name.ends_with("EmmEv"))
    return AtomicDecrement::Before;
  return name.ends_with("EmmEi") ? AtomicDecrement::After : AtomicDecrement::None;
}

} // namespace heddle::analysis
