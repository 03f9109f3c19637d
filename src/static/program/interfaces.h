#pragma once

#include "model/result.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

/// What the callers of an open program (one without main) can call: public members of classes, and
/// functions, as debug information tells them.
namespace heddle::analysis {

/// What the user says of the interface; all empty: it is what nobody in the program calls.
struct InterfaceRequest {
  std::vector<std::string> names;   ///< of classes or functions, qualified or not
  std::vector<std::string> headers; ///< files: all that they declare

  bool empty() const { return names.empty() && headers.empty(); }
};

/// A class of the program's own code, with those of its functions that have code.
struct ClassFacts {
  const llvm::DICompositeType* type = nullptr;
  std::string name; ///< qualified
  std::vector<llvm::Function*> constructors;
  std::vector<llvm::Function*> methods; ///< public ones, neither constructor nor destructor
  std::vector<const llvm::DISubprogram*> withoutCode; ///< public, declared only
  bool isAbstract = false;
};

/// A base class, and where it lies in the derived one.
struct BaseClass {
  const llvm::DICompositeType* type;
  uint64_t offset;
};

/// All classes of the program's own code.
class ClassTable {
public:
  explicit ClassTable(llvm::Module& module);

  const ClassFacts* find(const llvm::DICompositeType* type) const;
  const std::vector<ClassFacts>& all() const { return classes_; }
  /// Itself and all bases, with offsets.
  std::vector<BaseClass> basesOf(const llvm::DICompositeType* type) const;
  /// Functions of the program that are no members and that other files could call.
  const std::vector<llvm::Function*>& freeFunctions() const { return functions_; }

private:
  ClassFacts& factsOf(const llvm::DICompositeType* type);
  void addMember(llvm::Function& function, const llvm::DISubprogram& declaration,
                 const llvm::DICompositeType& owner);

  std::vector<ClassFacts> classes_;
  llvm::DenseMap<const llvm::DICompositeType*, size_t> indices_;
  llvm::StringMap<size_t> byIdentity_;
  std::vector<llvm::Function*> functions_;
};

struct Interface {
  std::vector<const ClassFacts*> classes;
  std::vector<llvm::Function*> functions;
  std::vector<std::string> warnings;
};

/// The interface that is asked for. Errors name what does not exist, and what is near.
Result<Interface> chooseInterface(const ClassTable& table, const InterfaceRequest& request);

/// `shop::Cart<int>` of a type.
std::string qualifiedName(const llvm::DIType& type);
} // namespace heddle::analysis
