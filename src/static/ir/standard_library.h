#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"

/// What the C++ library is called: by paths of its headers, by linkage names of its functions
/// (libstdc++, Itanium's ABI) and by names of its classes. Nothing else in the analyses knows such
/// names; functions with models have theirs in models.def and quiet.def.
///
/// Functions that take a name take a linkage name.
namespace heddle::analysis {

// --- where it stands

/// Whether the function is part of a library: it stands in a system header.
bool isLibrary(const llvm::Function& function);
/// Whether that library is the C++ library.
bool isStandard(const llvm::Function& function);
/// The same for a variable that a library has defined.
bool isLibrary(const llvm::GlobalVariable& variable);
bool isStandard(const llvm::GlobalVariable& variable);
/// Whether it is a class of the library: its pointers to characters are used for text only.
bool isStandard(const llvm::DICompositeType& type);
/// Whether a name is one of the library's functions, members or not, its extensions included.
bool isStandardName(llvm::StringRef name);

// --- functions of any class

/// A destructor of a whole object, or of one as a part of another (D1, D2).
bool isObjectDestructor(llvm::StringRef name);
/// The same, or one that also gives the memory back (D0).
bool isDestructor(llvm::StringRef name);
/// The guard of a static local variable.
bool isStaticGuard(const llvm::GlobalVariable& variable);

// --- functions without models

/// Functions that keep nothing of what they are given: streams, strings, exceptions. Those that
/// matter have models.
bool isQuietLibrary(llvm::StringRef name);
/// Allocators that the library has instantiated itself, and std::string's own.
bool isLibraryAllocation(llvm::StringRef name);
/// What a wrapper around a function of pthread wraps, gcc's or libstdc++'s own; "": it is none.
llvm::StringRef wrappedFunction(llvm::StringRef name);
/// malloc and operator new, without an alignment.
bool isPlainAllocation(llvm::StringRef name);

// --- threads and locks

/// Whether the function moves a thread out of its second parameter, into nothing.
bool isThreadMove(llvm::StringRef name);
bool isThreadAssignment(llvm::StringRef name);
bool isThreadSwap(llvm::StringRef name);
bool isJoinable(llvm::StringRef name);
/// std::thread's constructor hands the state over to the thread: what it destroys is empty.
bool isHandedOverState(llvm::StringRef name);
/// A member of std::unique_lock or std::shared_lock, or a function that is given one.
bool isLockObjectMember(llvm::StringRef name);
bool isUniqueLockMember(llvm::StringRef name);
/// A constructor of such a class that takes a mutex.
bool takesMutex(llvm::StringRef name);
/// A member of such a class that tells whether it holds its mutex.
bool tellsWhetherLocked(llvm::StringRef name);
/// std::lock.
bool isLockOfSeveral(llvm::StringRef name);
/// Members of the library's lock objects, mutexes and threads, and the counting of owners: part of
/// the synchronization, not of what it protects.
bool isSynchronization(llvm::StringRef name);
/// Within std::condition_variable_any::wait the caller's lock is given back and taken again: it is
/// held again when wait returns, as with any other condition. Its code cannot tell, because it
/// swallows exceptions of lock() when it is called during another exception.
bool isWaitsUnlock(llvm::StringRef name);
/// std::future waits for what a promise or a task sets.
bool isFutureWait(llvm::StringRef name);
bool isFutureSet(llvm::StringRef name);
bool isAsync(llvm::StringRef name);
/// Members of what std::async makes when it is allowed to defer.
bool isDeferredState(llvm::StringRef name);
/// std::call_once, the constructor that takes its closure, and the name of the closure's code.
bool isCallOnce(llvm::StringRef name);
bool isOncePreparation(llvm::StringRef name);
std::string onceClosure(llvm::StringRef callOnce);

// --- owners

/// The counts of owners that std::shared_ptr keeps: atomic, except where the library knows that
/// there is one thread or one owner.
bool isOwnerCount(llvm::StringRef name);
/// Whether the function is part of such a counting, or of what it counts for.
bool countsOwners(llvm::StringRef name);
/// What std::shared_ptr calls when the last owner is gone.
bool isLastOwners(llvm::StringRef name);
/// std::atomic_load and its relatives for std::shared_ptr, and std::atomic of one: the library
/// locks something that is not seen.
bool isAtomicPointer(llvm::StringRef name);
/// Members of classes whose objects own nothing when they were moved from.
bool isOwnerMember(llvm::StringRef name);
bool isUniquePointerMember(llvm::StringRef name);
bool isUniquePointerRelease(llvm::StringRef name);
/// std::function's manager: one function that gets the operation as a number.
bool isFunctionManager(llvm::StringRef name);
/// It and the invoker get at what a std::function keeps on the heap with these alone.
bool isFunctionStorage(llvm::StringRef name);
/// Members that ask a std::function for a pointer to what it holds.
bool isFunctionTarget(llvm::StringRef name);

// --- classes, as debug information names them

/// std::string and its relatives.
bool isStringClass(const llvm::DICompositeType& type);
/// The part of a std::string that points to its text.
bool isStringPointer(const llvm::DICompositeType& type);
/// Whether a class is all addresses of what it owns.
bool isOwnerClass(const llvm::DICompositeType& type);
bool isHashTable(const llvm::DICompositeType& type);
bool isHashNode(const llvm::DICompositeType& type);
/// Room for an object whose life the library begins and ends itself.
bool isObjectRoom(const llvm::DICompositeType& type);
/// What std::make_shared allocates.
bool isSharedBlock(const llvm::DICompositeType& type);

// --- std::atomic

/// A member of std::atomic for integers: `fetch_sub`, `--x` or `x--`.
enum class AtomicDecrement : uint8_t { None, FetchSub, Before, After };
AtomicDecrement atomicDecrement(llvm::StringRef name);

} // namespace heddle::analysis
