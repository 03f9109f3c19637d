#pragma once

#include "global_sets.h"
#include "sites.h"
#include "type_layout.h"

#include "llvm/IR/InstrTypes.h"

#include <set>

namespace heddle::pass {

/// The entries of units of work: for each object that a function gets, and for each global that it
/// uses, a site of kind Enter at the function's entry. heddle atomicity takes what happens between
/// entry and return as one unit for the object. docs/atomicity.md has the rules. In front of them
/// stand sites without an object, with kSiteCallees: for all objects that are used while the
/// function runs, and, of functions that others call, for the globals of their file or class that
/// they use through calls.
///
/// Of such a site `object` is the name of the set, `size` the object's bytes and `callee` its
/// members as model/member_layout.h writes them. It belongs to no instruction, so the embedded
/// bitcode does not have it, and the identities of the other sites do not depend on it.
class UnitEntries {
public:
  explicit UnitEntries(const llvm::Module& module);

  std::vector<Site> of(llvm::Function& function) const;

  /// Makes the calls that stand for HEDDLE_ATOMIC_SET and HEDDLE_NOT_IN_SET say what they declare:
  /// `object` becomes the member, as reports name it, or the class; empty if that is not known.
  /// After the callee follows the set's name in brackets.
  void describeDeclarations(std::vector<Site>& sites) const;

private:
  void addParameters(llvm::Function& function, std::vector<Site>& sites) const;
  void addParametersWithoutTypes(llvm::Function& function, std::vector<Site>& sites) const;
  void addGlobals(llvm::Function& function, std::vector<Site>& sites) const;
  void addCallees(const llvm::Function& function, std::vector<Site>& sites) const;
  bool isUnit(const llvm::Function& function) const;
  /// `main` or a closure: no unit, but it may put together what a failure is explained by.
  bool isThreadBody(const llvm::Function& function) const;
  std::string declaredObject(const llvm::CallBase& call) const;
  /// "Class::member" at the offset of a class, or "Class" if all of it is meant.
  std::string partOf(const llvm::DIType* type, int64_t offset, uint64_t size) const;
  std::string members(const llvm::DIType* type) const;

  TypeLayout types_;
  GlobalSets globals_;
  std::set<const llvm::Function*> declared_; ///< HEDDLE_UNIT
  std::set<const llvm::Function*> excluded_; ///< HEDDLE_NOT_UNIT
};

} // namespace heddle::pass
