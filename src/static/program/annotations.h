#pragma once

#include "model/result.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace heddle::analysis {

/// What people say of a program where the analysis cannot know: which functions never run at the
/// same time, and which members or classes are only ever used by one thread at a time. From a file,
/// and from the attributes of heddle.h. docs/annotations.md has the format.
class Annotations {
public:
  /// Reads a file. Errors name the line, what stands there and what may.
  static Result<Annotations> read(const std::string& path);
  /// Adds what the module's own attributes say.
  void addFrom(const llvm::Module& module);
  /// An error for a name that nothing in the program has.
  Status check(const llvm::Module& module) const;

  /// Whether accesses to the member or variable, or to members of its class, count as those of one
  /// thread. `object` is "Account::balance", `type` the class of the object.
  bool isThreadLocal(llvm::StringRef object, const llvm::DIType* type) const;
  /// Whether threads that run these functions are said not to be alive together.
  bool areExclusive(const llvm::Function& one, const llvm::Function& other) const;
  bool empty() const { return local_.empty() && exclusive_.empty(); }

private:
  struct Name {
    std::string text;
    unsigned line; ///< in the file; 0: from an attribute
  };
  Status parse(const std::string& path, llvm::StringRef text);

  std::string path_;
  std::vector<Name> local_;                  ///< members, variables or classes
  std::vector<std::vector<Name>> exclusive_; ///< functions
};

} // namespace heddle::analysis
