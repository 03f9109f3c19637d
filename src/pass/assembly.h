#pragma once

#include "model/memory_order.h"
#include "model/site_table.h"

#include <cstdint>
#include <vector>

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

/// What inline assembly does to memory that other threads may use, as far as its text and its
/// constraints tell. x86-64 in AT&T syntax, as clang hands it on.
namespace heddle::pass {

struct AssemblyAccess {
  SiteKind kind;
  const llvm::Value* address;
  int64_t displacement; ///< of a memory operand that the text writes as 8($0)
  uint32_t size;
};

struct AssemblyEffect {
  std::vector<AssemblyAccess> accesses; ///< at most one of each kind and address
  bool fence = false;                   ///< mfence and the like, or a barrier for the compiler
  /// May change memory or wait in a way that the text does not tell: unseen code.
  bool opaque = false;
  /// Repeating it with the same operands leaves memory as the first time did: a loop around it
  /// waits.
  bool repeatable = true;

  bool updates() const;
  bool reads() const { return !accesses.empty(); }
  bool touchesNothing() const { return accesses.empty() && !fence && !opaque; }
};

/// Of a call that is no inline assembly: nothing.
AssemblyEffect assemblyEffect(const llvm::CallBase& call);

/// The order that the processor gives an access: a locked instruction is a full barrier, a plain
/// store releases and a plain load acquires.
constexpr MemoryOrder assemblyOrder(SiteKind kind) {
  if (kind == SiteKind::AtomicWrite)
    return MemoryOrder::Release;
  if (kind == SiteKind::AtomicRead)
    return MemoryOrder::Acquire;
  return MemoryOrder::SequentiallyConsistent;
}

} // namespace heddle::pass
