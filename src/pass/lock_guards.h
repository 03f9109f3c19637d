#pragma once

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace heddle::pass {

/// For a call of a member of a lock guard (std::lock_guard, unique_lock, a user's ScopedLock ...):
/// the mutex that the guard in this function's local was made for. A reader wants to know which
/// mutex, not what the guard is called. Null for other calls, and where it is not known.
const llvm::Value* guardedMutex(const llvm::CallBase& call);

} // namespace heddle::pass
