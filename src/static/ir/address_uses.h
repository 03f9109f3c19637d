#pragma once

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <set>
#include <string>

/// What can happen to an address, as far as the IR alone says it: for analyses that must not miss
/// anything.
namespace heddle::analysis {

/// Whether values of the type have addresses in them that are known to be such.
bool holdsPointer(const llvm::Type* type);

/// Whether an address, or the number that it becomes, is only compared, or subtracted from another
/// one.
bool isOnlyMeasured(const llvm::Value& address);

/// Whether the call does nothing with the addresses that it gets.
bool isHarmless(const llvm::IntrinsicInst& intrinsic);

/// Whether the call's result is its first argument; the constraints have one variable for both.
bool isPassedThrough(const llvm::IntrinsicInst& intrinsic);

/// Who can use functions and variables besides the code that is seen.
class Outsiders {
public:
  /// `exported`: linkage names that other modules of the program can use.
  Outsiders(const llvm::Module& module, const std::set<std::string>& exported)
      : assembles_(!module.getModuleInlineAsm().empty()), exported_(exported) {}

  /// Whether somebody may call the function who is not seen: its address is taken, or its name can
  /// be used elsewhere.
  bool mayCall(const llvm::Function& function) const;
  bool mayUse(const llvm::GlobalValue& global) const;

private:
  bool isOnlyCalled(const llvm::GlobalValue& value) const;

  bool assembles_;
  const std::set<std::string>& exported_;
};

} // namespace heddle::analysis
