#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"

namespace heddle::analysis {

/// What the run-time type information behind vtables says of classes: a virtual call on an object
/// of a class finds only vtables of that class and of those derived from it.
class Vtables {
public:
  /// True when it is not known that it cannot: without type information, or for a class that has
  /// no vtable itself.
  bool mayBeOf(const llvm::GlobalVariable& vtable, const llvm::DICompositeType& type);

private:
  llvm::DenseMap<std::pair<const llvm::GlobalVariable*, const llvm::DICompositeType*>, bool> known_;
};

} // namespace heddle::analysis
