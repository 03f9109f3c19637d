#include "static/program/interfaces.h"

#include "model/library_paths.h"
#include "model/spelling.h"
#include "static/ir/addresses.h"
#include "static/ir/object_types.h"
#include "static/ir/standard_library.h"
#include "static/program/sites.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

using namespace llvm;

namespace heddle::analysis {
namespace {

std::string pathOf(const DIFile& file) {
  SmallString<256> path(file.getFilename());
  if (!sys::path::is_absolute(path)) {
    path = file.getDirectory();
    sys::path::append(path, file.getFilename());
  }
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

bool isOwnType(const DICompositeType& type) {
  return type.getFile() && !isLibraryPath(pathOf(*type.getFile()));
}

/// A class whose members are private if nothing is said, or a struct.
bool isPublic(const DISubprogram& declaration, const DICompositeType& owner) {
  auto access = declaration.getFlags() & DINode::FlagAccessibility;
  if (access == DINode::FlagZero)
    return owner.getTag() == dwarf::DW_TAG_structure_type;
  return access == DINode::FlagPublic;
}

/// What two types that are one class in different units have in common.
std::string identityOf(const DICompositeType& type) {
  if (!type.getIdentifier().empty())
    return type.getIdentifier().str();
  return fmt::format("{}@{}:{}", type.getName().str(),
                     type.getFile() ? pathOf(*type.getFile()) : "", type.getLine());
}

enum class MemberKind { Constructor, Destructor, Method };

MemberKind memberKind(const DISubprogram& declaration, const DICompositeType& owner) {
  StringRef name = declaration.getName();
  if (name.starts_with("~"))
    return MemberKind::Destructor;
  return name == owner.getName().split('<').first ? MemberKind::Constructor : MemberKind::Method;
}

/// `A(const A&)` and `A(A&&)` make no new kinds of objects.
bool copiesOrMoves(const DISubprogram& declaration, const DICompositeType& owner) {
  auto types = declaration.getType()->getTypeArray();
  if (types.size() != 3)
    return false;
  const DICompositeType* source = pointeeClass(types[2]);
  return source && identityOf(*source) == identityOf(owner);
}

/// Adds a constructor. The one of whole objects (C1) and the one of base-class parts (C2) are often
/// one function; where there are both, their names differ in the number only.
void addConstructor(std::vector<Function*>& all, Function& added) {
  for (Function*& known : all)
    if (known->getSubprogram()->getDeclaration() == added.getSubprogram()->getDeclaration()) {
      if (added.getName() < known->getName())
        known = &added;
      return;
    }
  all.push_back(&added);
}

const DICompositeType* ownerOf(const Function& function) {
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram)
    return nullptr;
  if (subprogram->getDeclaration())
    subprogram = subprogram->getDeclaration();
  return dyn_cast_or_null<DICompositeType>(subprogram->getScope());
}

} // namespace

std::string qualifiedName(const DIType& type) {
  std::string name = type.getName().str();
  for (const DIScope* scope = type.getScope(); scope; scope = scope->getScope())
    if (!isa<DIFile>(scope) && !isa<DICompileUnit>(scope) && !scope->getName().empty())
      name = scope->getName().str() + "::" + name;
  return name;
}

// --- the table

ClassTable::ClassTable(Module& module) {
  DebugInfoFinder finder;
  finder.processModule(module);
  for (const DIType* type : finder.types())
    if (auto* composite = dyn_cast<DICompositeType>(type))
      if (isClass(composite) && !composite->isForwardDecl() && !composite->getName().empty() &&
          isOwnType(*composite))
        factsOf(composite);
  for (Function& function : module) {
    const DISubprogram* definition = function.getSubprogram();
    if (!definition || !hasBody(function) || isLibrary(function))
      continue;
    const DISubprogram* declaration =
        definition->getDeclaration() ? definition->getDeclaration() : definition;
    if (const DICompositeType* owner = ownerOf(function))
      addMember(function, *declaration, *owner);
    else if (function.hasExternalLinkage() && function.getName() != "main")
      functions_.push_back(&function);
  }
  for (ClassFacts& facts : classes_)
    for (const DINode* element : facts.type->getElements()) {
      auto* declaration = dyn_cast<DISubprogram>(element);
      if (!declaration)
        continue;
      facts.isAbstract |= declaration->getVirtuality() == dwarf::DW_VIRTUALITY_pure_virtual;
      bool hasCode = any_of(facts.methods, [&](const Function* method) {
        return method->getSubprogram()->getDeclaration() == declaration;
      });
      if (!hasCode && isPublic(*declaration, *facts.type) && !declaration->isArtificial() &&
          !declaration->isDeleted() && memberKind(*declaration, *facts.type) == MemberKind::Method)
        facts.withoutCode.push_back(declaration);
    }
}

ClassFacts& ClassTable::factsOf(const DICompositeType* type) {
  auto [entry, isNew] = indices_.try_emplace(type, classes_.size());
  if (!isNew)
    return classes_[entry->second];
  auto [known, isFirst] = byIdentity_.try_emplace(identityOf(*type), classes_.size());
  if (!isFirst) { // the same class of another unit
    entry->second = known->second;
    return classes_[known->second];
  }
  ClassFacts facts;
  facts.type = type;
  facts.name = qualifiedName(*type);
  classes_.push_back(std::move(facts));
  return classes_.back();
}

void ClassTable::addMember(Function& function, const DISubprogram& declaration,
                           const DICompositeType& owner) {
  if (!find(&owner) || !isPublic(declaration, owner) || declaration.isArtificial())
    return;
  ClassFacts& facts = factsOf(&owner);
  switch (memberKind(declaration, owner)) {
  case MemberKind::Constructor:
    if (!copiesOrMoves(declaration, owner))
      addConstructor(facts.constructors, function);
    break;
  case MemberKind::Method:
    facts.methods.push_back(&function);
    break;
  case MemberKind::Destructor:
    break; // who destroys a shared object has no other callers left
  }
}

const ClassFacts* ClassTable::find(const DICompositeType* type) const {
  if (auto found = indices_.find(type); found != indices_.end())
    return &classes_[found->second];
  if (!type)
    return nullptr;
  auto found = byIdentity_.find(identityOf(*type));
  return found == byIdentity_.end() ? nullptr : &classes_[found->second];
}

std::vector<BaseClass> ClassTable::basesOf(const DICompositeType* type) const {
  std::vector<BaseClass> all{{type, 0}};
  for (size_t i = 0; i < all.size(); ++i) {
    const ClassFacts* facts = find(all[i].type);
    const DICompositeType* complete = facts ? facts->type : all[i].type;
    for (const DINode* element : complete->getElements()) {
      auto* base = dyn_cast<DIDerivedType>(element);
      if (!base || base->getTag() != dwarf::DW_TAG_inheritance || base->isVirtual())
        continue;
      if (auto* parent = dyn_cast_or_null<DICompositeType>(strippedType(base->getBaseType())))
        all.push_back({parent, all[i].offset + base->getOffsetInBits() / 8});
    }
  }
  return all;
}

// --- the choice

namespace {

std::string unqualified(StringRef name) {
  // Template arguments may hold names too.
  size_t end = name.find('<');
  size_t at = name.substr(0, end).rfind("::");
  return name.substr(at == StringRef::npos ? 0 : at + 2).str();
}

bool isNamed(const std::string& name, const std::string& wanted) {
  std::string last = unqualified(name);
  return name == wanted || last == wanted || StringRef(name).split('<').first == wanted ||
         StringRef(last).split('<').first == wanted;
}

std::string functionName(const Function& function) {
  const DISubprogram* subprogram = function.getSubprogram();
  std::string name = subprogram->getName().str();
  for (const DIScope* scope = subprogram->getScope(); scope; scope = scope->getScope())
    if (!isa<DIFile>(scope) && !isa<DICompileUnit>(scope) && !scope->getName().empty())
      name = scope->getName().str() + "::" + name;
  return name;
}

class Chooser {
public:
  Chooser(const ClassTable& table, const InterfaceRequest& request)
      : table_(table), request_(request) {}

  Result<Interface> choose() && {
    for (const std::string& name : request_.names)
      if (Status status = addNamed(name); !status)
        return status.error();
    for (const std::string& header : request_.headers)
      if (Status status = addHeader(header); !status)
        return status.error();
    if (request_.empty())
      addUncalled();
    if (chosen_.classes.empty() && chosen_.functions.empty())
      return Error{"the files have no main, and no function that another file could call\n"
                   "  name the program, or all files of it, or compile inline functions too: "
                   "heddle-c++ -femit-all-decls",
                   ErrorKind::Usage};
    addBases();
    return std::move(chosen_);
  }

private:
  void add(const ClassFacts& facts) {
    if (!is_contained(chosen_.classes, &facts))
      chosen_.classes.push_back(&facts);
  }
  void add(Function& function) {
    if (!is_contained(chosen_.functions, &function))
      chosen_.functions.push_back(&function);
  }

  Status addNamed(const std::string& name) {
    bool found = false;
    const ClassFacts* withoutCode = nullptr;
    for (const ClassFacts& facts : table_.all()) {
      if (!isNamed(facts.name, name))
        continue;
      if (facts.methods.empty() && !hasImplementations(facts)) {
        withoutCode = &facts;
        continue;
      }
      found = true;
      add(facts);
      warnOfMissing(facts);
    }
    for (Function* function : table_.freeFunctions())
      if (functionName(*function) == name || function->getSubprogram()->getName() == name) {
        found = true;
        add(*function);
      }
    if (found)
      return Success{};
    if (withoutCode)
      return Error{fmt::format("class {} has no public member function with code\n  functions in "
                               "the class itself are only compiled where they are used: add "
                               "-femit-all-decls to heddle-c++, or name the files that use them",
                               withoutCode->name),
                   ErrorKind::Usage};
    return notThere(name);
  }

  Status notThere(const std::string& name) const {
    std::vector<std::string> known;
    for (const ClassFacts& facts : table_.all()) {
      known.push_back(facts.name);
      known.push_back(unqualified(facts.name));
      known.push_back(StringRef(unqualified(facts.name)).split('<').first.str()); // of a template
    }
    for (const Function* function : table_.freeFunctions())
      known.push_back(functionName(*function));
    std::string near = didYouMean(name, known);
    return Error{fmt::format("there is no class or function '{}' in the program{}\n  "
                             "--interface takes the names of classes as the source has them",
                             name, near.empty() ? "" : "; did you mean " + near + "?"),
                 ErrorKind::Usage};
  }

  /// An abstract class is called through the classes that implement it.
  bool hasImplementations(const ClassFacts& facts) const {
    return facts.isAbstract && any_of(table_.all(), [&](const ClassFacts& other) {
             return &other != &facts && !other.methods.empty() &&
                    any_of(table_.basesOf(other.type),
                           [&](const BaseClass& base) { return table_.find(base.type) == &facts; });
           });
  }

  void warnOfMissing(const ClassFacts& facts) {
    std::string names;
    for (const DISubprogram* declaration : facts.withoutCode)
      if (declaration->getVirtuality() != dwarf::DW_VIRTUALITY_pure_virtual)
        names += (names.empty() ? "" : ", ") + declaration->getName().str();
    if (!names.empty())
      chosen_.warnings.push_back(fmt::format(
          "{}: {} not compiled into these files, and so not called", facts.name, names));
  }

  Status addHeader(const std::string& header) {
    auto text = MemoryBuffer::getFile(header, /*IsText=*/true);
    if (!text)
      return Error{fmt::format("{}: cannot be read: {}\n  --interface-header takes the path of a "
                               "header file",
                               header, text.getError().message()),
                   ErrorKind::Environment};
    bool found = false;
    for (const ClassFacts& facts : table_.all())
      if (isSameFile(pathOf(*facts.type->getFile()), header) &&
          (!facts.methods.empty() || hasImplementations(facts))) {
        add(facts);
        warnOfMissing(facts);
        found = true;
      }
    for (Function* function : table_.freeFunctions())
      if (mentionsCall((*text)->getBuffer(), function->getSubprogram()->getName())) {
        add(*function);
        found = true;
      }
    if (!found)
      return Error{fmt::format("{}: declares no class or function that has code in the program\n  "
                               "name a header that these files were compiled with",
                               header),
                   ErrorKind::Usage};
    return Success{};
  }

  static bool isSameFile(const std::string& one, const std::string& other) {
    bool same = false;
    if (!sys::fs::equivalent(one, other, same))
      return same;
    // The source may be gone: then the names must do.
    return sys::path::filename(one) == sys::path::filename(other);
  }

  /// Debug information does not say which header declares a function: its text does.
  static bool mentionsCall(StringRef text, StringRef name) {
    auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (size_t at = text.find(name); at != StringRef::npos; at = text.find(name, at + 1)) {
      if (at > 0 && isWord(text[at - 1]))
        continue;
      if (text.substr(at + name.size()).ltrim().starts_with("("))
        return true;
    }
    return false;
  }

  /// Without a word of the user the interface is what nobody in the program calls.
  void addUncalled() {
    for (const ClassFacts& facts : table_.all())
      if (any_of(facts.methods, [&](const Function* method) {
            return !overrides(*method, facts) && !isCalledByOthers(*method, facts);
          }))
        add(facts);
    for (Function* function : table_.freeFunctions())
      if (!isUsedByOthers(*function))
        add(*function);
    if (chosen_.classes.empty() && chosen_.functions.empty())
      for (const ClassFacts& facts : table_.all())
        if (!facts.methods.empty())
          add(facts);
  }

  bool overrides(const Function& method, const ClassFacts& owner) const {
    const DISubprogram* declaration = method.getSubprogram()->getDeclaration();
    if (!declaration || declaration->getVirtuality() == dwarf::DW_VIRTUALITY_none)
      return false;
    for (const BaseClass& base : table_.basesOf(owner.type)) {
      const ClassFacts* facts = table_.find(base.type);
      if (!facts || facts == &owner)
        continue;
      for (const DINode* element : facts->type->getElements())
        if (auto* other = dyn_cast<DISubprogram>(element))
          if (other->getName() == declaration->getName() &&
              other->getVirtuality() != dwarf::DW_VIRTUALITY_none)
            return true;
    }
    return false;
  }

  bool isCalledByOthers(const Function& method, const ClassFacts& owner) const {
    return any_of(method.users(), [&](const User* user) {
      auto* instruction = dyn_cast<Instruction>(user);
      if (!instruction)
        return false; // vtables
      const DICompositeType* caller = ownerOf(*instruction->getFunction());
      return !caller || table_.find(caller) != &owner;
    });
  }

  static bool isUsedByOthers(const Function& function) {
    return any_of(function.users(), [&](const User* user) {
      auto* instruction = dyn_cast<Instruction>(user);
      return !instruction || instruction->getFunction() != &function;
    });
  }

  /// What a class inherits can be called too.
  void addBases() {
    for (size_t i = 0; i < chosen_.classes.size(); ++i)
      for (const BaseClass& base : table_.basesOf(chosen_.classes[i]->type))
        if (const ClassFacts* facts = table_.find(base.type))
          add(*facts);
  }

  const ClassTable& table_;
  const InterfaceRequest& request_;
  Interface chosen_;
};

} // namespace

Result<Interface> chooseInterface(const ClassTable& table, const InterfaceRequest& request) {
  return Chooser(table, request).choose();
}

} // namespace heddle::analysis
