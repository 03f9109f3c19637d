#pragma once

#include "seed_zones.h"
#include "type_layout.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class DISubprogram;
class Function;
} // namespace llvm

namespace heddle::pass {

/// How a value is passed, for who writes it down.
enum class SeedValue : uint32_t {
  Opaque = 0,
  Bool = 1,
  Integer = 2,
  Float = 3,
  Enum = 4,
  String = 5,       ///< the address of a std::string
  CString = 6,      ///< a const char*
  Object = 7,       ///< the address of an object
  SmartPointer = 8, ///< the address of a smart pointer, whose first word is the object's
};

struct SeedParameter {
  SeedValue kind = SeedValue::Opaque;
  uint64_t type = 0;     ///< as declared; what a const reference to a number refers to
  uint64_t object = 0;   ///< of objects their class
  bool isLoaded = false; ///< the argument is the address of the value
  bool isSigned = false;
  uint64_t size = 0;
  unsigned registers = 1; ///< arguments of the function that carry it
};

/// The types and methods of a translation unit as a seed trace names them: the text that
/// docs/synthesis.md describes. Ids are hashes of names, so that units agree.
class SeedTables {
public:
  SeedTables(const llvm::Module& module, std::vector<std::string> own);

  Zone zoneOf(const llvm::DISubprogram* function) const { return zones_.zoneOf(function); }
  uint64_t type(const llvm::DIType* type);
  uint64_t method(const llvm::DISubprogram* function);
  /// [0] the result; then receiver and arguments.
  std::vector<SeedParameter> parameters(const llvm::DISubprogram* function);
  /// Adds the unit's own file, and whether there is a test in it.
  void addUnit(const llvm::Module& module);
  /// Adds the public methods of the library's classes, called or not.
  void addDeclaredMethods(const llvm::Module& module);
  const std::string& text() const { return text_; }

private:
  std::string typeName(const llvm::DIType* type) const;
  std::string kindOf(const llvm::DIType* type) const;
  const llvm::DIType* targetOf(const llvm::DIType* type) const;
  void describeClass(const llvm::DICompositeType& type, uint64_t id);
  SeedParameter parameter(const llvm::DIType* type);
  SeedParameter classParameter(const llvm::DICompositeType& type, SeedParameter made) const;
  SeedParameter referenceParameter(const llvm::DIType* reference);
  const llvm::DIType* classOf(const llvm::DISubprogram* function) const;
  /// The base class that first declares the virtual function: what clients call it through.
  const llvm::DIType* declaringClass(const llvm::DIType* type, const std::string& name) const;

  TypeLayout layout_;
  SeedZones zones_;
  std::map<const llvm::DIType*, uint64_t> types_;
  std::set<uint64_t> written_;
  std::string text_;
};

} // namespace heddle::pass
