#pragma once

#include "sites.h"

#include <optional>
#include <set>

namespace llvm {
class Module;
} // namespace llvm

namespace heddle::pass {

/// Decides which functions are instrumented, and which of them can be cloned.
class FunctionChoice {
public:
  explicit FunctionChoice(const llvm::Module& module);

  /// None: the function stays as it is.
  std::optional<Treatment> treatment(const llvm::Function& function) const;

private:
  std::set<const llvm::Function*> untouched_;
};

} // namespace heddle::pass
