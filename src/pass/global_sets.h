#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace heddle::pass {

/// The name of the set that a global is in: the globals of a file belong together, and so do the
/// static members of a class. Empty for globals that are defined elsewhere, and without debug
/// information.
std::string setOf(const llvm::GlobalVariable& global);

/// The globals that a function uses itself, in the order in which it does: it reads or writes them,
/// or passes those of which the set is known on to a function.
std::vector<const llvm::GlobalVariable*> globalsUsedBy(const llvm::Function& function);

/// Which sets of globals functions use through the functions that they call, directly or not, as
/// far as the module shows it.
class GlobalSets {
public:
  explicit GlobalSets(const llvm::Module& module);

  /// The sets to which the function itself belongs, by its file or its class, and of which it puts
  /// several uses together: two calls of functions that use the set, or one and a use of its own.
  /// What it does in a loop does not count: those are pieces of work, one after the other.
  std::vector<std::string> putTogetherBy(const llvm::Function& function) const;

private:
  bool isUsed(const llvm::Function* function, const std::string& set) const;
  bool isPutTogether(const llvm::Function& function, const std::string& set) const;

  std::map<const llvm::Function*, std::set<std::string>> used_; ///< by it or what it calls
};

} // namespace heddle::pass
