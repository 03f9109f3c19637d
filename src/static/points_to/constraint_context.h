#pragma once

#include "static/ir/moved_from.h"
#include "static/points_to/constraints.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace heddle::analysis {

/// What the constraints of all functions of a program share: its constants, its classes, and what
/// is known of the program as a whole.
class ConstraintContext {
public:
  ConstraintContext(const llvm::Module& module, const Models& models);

  /// The addresses that a constant operand stands for.
  const llvm::SmallVector<ConstantAddress, 1>& constant(uint32_t index) const {
    return constants_[index];
  }
  size_t constantCount() const { return constants_.size(); }
  /// The operand of a constant; kNoOperand when it has no address in it.
  Operand constantOperand(const llvm::Constant& constant);
  const llvm::DataLayout& layout() const { return layout_; }
  /// The step of a GEP, when pointers to members are what the program makes of them.
  Step step(const llvm::GEPOperator& gep) const;
  const Models& models() const { return models_; }
  MovedFrom& movedFrom() { return movedFrom_; }
  TypeLayouts& layouts() { return layouts_; }
  MemberPlace memberOf(const llvm::Instruction& access) const;
  /// Whether somebody asks a std::function for a pointer to what it holds.
  bool asksForTargets() const { return asksForTargets_; }
  /// Whether a thread may be created below it, by direct calls.
  bool mayCreateThreads(const llvm::Function& function) const {
    return creators_.contains(&function);
  }

private:
  void findCreators(const llvm::Module& module);

  const llvm::DataLayout& layout_;
  const Models& models_;
  TypeLayouts layouts_;
  MovedFrom movedFrom_;
  llvm::DenseMap<llvm::StringRef, const llvm::DICompositeType*> classes_; ///< by identifier
  bool adjustsMembers_;
  bool asksForTargets_;
  llvm::DenseSet<const llvm::Function*> creators_;
  llvm::DenseMap<const llvm::Constant*, Operand> constantOperands_;
  std::vector<llvm::SmallVector<ConstantAddress, 1>> constants_;
};

} // namespace heddle::analysis
