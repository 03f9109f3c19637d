#include "seed_tables.h"

#include "debug_scope.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace heddle::pass {
namespace {

bool startsWithAny(StringRef name, ArrayRef<StringRef> starts) {
  return any_of(starts, [&](StringRef start) { return name.starts_with(start); });
}

bool isMapName(StringRef name) {
  return startsWithAny(
      name, {"std::map<", "std::multimap<", "std::unordered_map<", "std::unordered_multimap<"});
}

bool isLockName(StringRef name) {
  return name == "std::mutex" || name == "std::recursive_mutex" || name == "std::timed_mutex" ||
         name == "std::recursive_timed_mutex" || name == "std::shared_mutex" ||
         name == "std::shared_timed_mutex" || name == "pthread_mutex_t" ||
         name == "pthread_rwlock_t" || name == "pthread_spinlock_t";
}

const DIType* templateArgument(const DICompositeType& type, unsigned index) {
  DITemplateParameterArray parameters = type.getTemplateParams();
  if (index >= parameters.size())
    return nullptr;
  const auto* parameter = dyn_cast<DITemplateTypeParameter>(parameters[index]);
  return parameter ? parameter->getType() : nullptr;
}

/// Whether a client may call the member function: without a word, those of a struct.
bool isPublic(const DISubprogram& member) {
  auto access = member.getFlags() & DINode::FlagAccessibility;
  const auto* owner = dyn_cast_or_null<DICompositeType>(member.getScope());
  bool isStruct = owner && owner->getTag() != dwarf::DW_TAG_class_type;
  return access == DINode::FlagPublic || (access == DINode::FlagZero && isStruct);
}

bool isConst(const DIType* type) {
  while (const auto* derived = dyn_cast_or_null<DIDerivedType>(type)) {
    if (derived->getTag() == dwarf::DW_TAG_const_type)
      return true;
    if (derived->getTag() != dwarf::DW_TAG_typedef)
      return false;
    type = derived->getBaseType();
  }
  return false;
}

} // namespace

SeedTables::SeedTables(const Module& module, std::vector<std::string> own)
    : layout_(module), zones_(module, std::move(own)) {}

void SeedTables::addUnit(const Module& module) {
  for (const DICompileUnit* unit : module.debug_compile_units())
    text_ += "U\t" + pathOf(unit->getFile()) + "\t" + (zones_.hasTest() ? "1" : "0") + "\n";
}

std::string SeedTables::typeName(const DIType* type) const {
  const DIType* bare = layout_.strip(type);
  if (!bare)
    return "void";
  if (const DIType* target = layout_.pointee(bare)) {
    std::string name = (isConst(target) ? "const " : "") + typeName(target);
    if (bare->getTag() == dwarf::DW_TAG_rvalue_reference_type)
      return name + "&&";
    return name + (layout_.isReference(bare) ? "&" : "*");
  }
  std::string name = qualifiedName(bare);
  if (StringRef(name).starts_with("std::basic_string<char,"))
    return "std::string";
  if (name.empty() || StringRef(name).contains("(unnamed)"))
    return layout_.name(type);
  return name;
}

std::string SeedTables::kindOf(const DIType* type) const {
  const DIType* bare = layout_.strip(type);
  if (!bare)
    return "void";
  std::string name = typeName(type);
  if (isLockName(name))
    return "lock";
  switch (bare->getTag()) {
  case dwarf::DW_TAG_pointer_type:
    return "pointer";
  case dwarf::DW_TAG_reference_type:
    return "reference";
  case dwarf::DW_TAG_rvalue_reference_type:
    return "rvalue";
  case dwarf::DW_TAG_enumeration_type:
    return "enum";
  case dwarf::DW_TAG_base_type: {
    unsigned encoding = cast<DIBasicType>(bare)->getEncoding();
    if (encoding == dwarf::DW_ATE_boolean)
      return "bool";
    return encoding == dwarf::DW_ATE_float ? "float" : "integer";
  }
  default:
    break;
  }
  if (name == "std::string")
    return "string";
  if (StringRef(name).starts_with("std::shared_ptr<"))
    return "shared";
  if (StringRef(name).starts_with("std::unique_ptr<"))
    return "unique";
  if (isContainerName(name))
    return "container";
  return layout_.isClass(bare) ? "class" : "unknown";
}

const DIType* SeedTables::targetOf(const DIType* type) const {
  const DIType* bare = layout_.strip(type);
  if (const DIType* target = layout_.pointee(bare))
    return target;
  const auto* composite = dyn_cast_or_null<DICompositeType>(bare);
  std::string kind = kindOf(type);
  if (!composite || (kind != "shared" && kind != "unique" && kind != "container"))
    return nullptr;
  return templateArgument(*composite, isMapName(typeName(type)) ? 1 : 0);
}

uint64_t SeedTables::type(const DIType* type) {
  const DIType* bare = layout_.strip(type);
  if (!bare)
    return 0;
  auto [found, isNew] = types_.try_emplace(bare, 0);
  if (!isNew)
    return found->second;
  std::string name = typeName(bare);
  std::string kind = kindOf(bare);
  const DIType* target = targetOf(bare);
  uint64_t id = xxh3_64bits(kind + " " + name);
  types_[bare] = id;
  uint64_t targetId = target ? this->type(target) : 0;
  if (!written_.insert(id).second)
    return id;
  text_ += "T\t" + std::to_string(id) + "\t" + kind + "\t" +
           std::to_string(bare->getSizeInBits() / 8) + "\t" + std::to_string(targetId) + "\t" +
           (target && isConst(target) ? "1" : "0") + "\t" + name + "\n";
  if (const auto* composite = dyn_cast<DICompositeType>(bare); composite && kind == "class")
    describeClass(*composite, id);
  if (const auto* composite = dyn_cast<DICompositeType>(bare); composite && kind == "enum")
    for (const DINode* node : composite->getElements())
      if (const auto* one = dyn_cast<DIEnumerator>(node))
        text_ += "E\t" + std::to_string(id) + "\t" +
                 std::to_string(one->getValue().getSExtValue()) + "\t" + name +
                 "::" + one->getName().str() + "\n";
  return id;
}

void SeedTables::describeClass(const DICompositeType& composite, uint64_t id) {
  for (const DINode* node : composite.getElements()) {
    const auto* element = dyn_cast<DIDerivedType>(node);
    if (!element || element->isStaticMember() || element->isVirtual())
      continue;
    bool isBase = element->getTag() == dwarf::DW_TAG_inheritance;
    if (!isBase && element->getTag() != dwarf::DW_TAG_member)
      continue;
    if (element->getName().starts_with("_vptr"))
      continue;
    uint64_t fieldType = type(element->getBaseType());
    text_ += (isBase ? "B\t" : "F\t") + std::to_string(id) + "\t" +
             std::to_string(element->getOffsetInBits() / 8) + "\t" + std::to_string(fieldType) +
             "\t" + element->getName().str() + "\n";
  }
}

/// A const reference to a value is the value; to a smart pointer, what that leads to.
SeedParameter SeedTables::referenceParameter(const DIType* reference) {
  const DIType* target = layout_.pointee(reference);
  std::string kind = kindOf(target);
  SeedParameter made = parameter(target);
  bool isValue = kind == "bool" || kind == "integer" || kind == "float" || kind == "enum";
  if (kind == "shared" || (isConst(target) && (isValue || kind == "string"))) {
    made.isLoaded = isValue;
    return made;
  }
  made = {};
  made.kind = SeedValue::Object;
  made.type = type(reference);
  made.object = type(target);
  return made;
}

SeedParameter SeedTables::parameter(const DIType* declared) {
  SeedParameter made;
  const DIType* bare = layout_.strip(declared);
  made.type = type(declared);
  if (!bare)
    return made;
  if (layout_.isReference(bare))
    return referenceParameter(bare);
  std::string kind = kindOf(declared);
  made.size = bare->getSizeInBits() / 8;
  if (const auto* basic = dyn_cast<DIBasicType>(bare))
    made.isSigned = basic->getEncoding() == dwarf::DW_ATE_signed ||
                    basic->getEncoding() == dwarf::DW_ATE_signed_char;
  if (kind == "bool")
    made.kind = SeedValue::Bool;
  else if (kind == "integer")
    made.kind = SeedValue::Integer;
  else if (kind == "float")
    made.kind = SeedValue::Float;
  else if (kind == "enum")
    made.kind = SeedValue::Enum;
  else if (kind == "string")
    made.kind = SeedValue::String;
  else if (kind == "shared" || kind == "unique") {
    made.kind = SeedValue::SmartPointer;
    made.object = type(targetOf(declared));
  } else if (kind == "pointer") {
    std::string target = typeName(layout_.pointee(bare));
    bool isObject =
        layout_.isClass(layout_.pointee(bare)) || kindOf(layout_.pointee(bare)) != "void";
    made.kind = target == "char" ? SeedValue::CString
                : isObject       ? SeedValue::Object
                                 : SeedValue::Opaque;
    made.object = type(layout_.pointee(bare));
  } else if (kind == "class" || kind == "lock" || kind == "container") {
    made.kind = SeedValue::Object;
    made.object = made.type;
    if (const auto* composite = dyn_cast<DICompositeType>(bare))
      return classParameter(*composite, made);
  }
  return made;
}

/// A class by value. What is trivial to copy has no address of its own: up to two words come in
/// registers, an empty one does not come at all.
SeedParameter SeedTables::classParameter(const DICompositeType& type, SeedParameter made) const {
  constexpr uint64_t word = 8;
  bool inRegisters = (type.getFlags() & DINode::FlagTypePassByValue) && made.size <= 2 * word;
  if (!inRegisters)
    return made;
  bool isView = StringRef(typeName(&type)).starts_with("std::basic_string_view<char,");
  bool isEmpty =
      made.size <= 1 && none_of(type.getElements(), [](const DINode* node) {
        const auto* member = dyn_cast<DIDerivedType>(node);
        return member && member->getTag() == dwarf::DW_TAG_member && !member->isStaticMember();
      });
  made.kind = isView ? SeedValue::String : SeedValue::Opaque;
  made.registers = isEmpty ? 0 : made.size > word ? 2 : 1;
  return made;
}

std::vector<SeedParameter> SeedTables::parameters(const DISubprogram* function) {
  std::vector<SeedParameter> all;
  DITypeRefArray types = function->getType()->getTypeArray();
  for (unsigned i = 0; i < types.size(); ++i)
    all.push_back(types[i] ? parameter(types[i]) : SeedParameter{});
  return all;
}

const DIType* SeedTables::classOf(const DISubprogram* function) const {
  return dyn_cast_or_null<DIType>(function->getScope());
}

const DIType* SeedTables::declaringClass(const DIType* type, const std::string& name) const {
  const auto* composite = dyn_cast_or_null<DICompositeType>(layout_.strip(type));
  if (!composite)
    return type;
  for (const DINode* node : composite->getElements()) {
    const auto* base = dyn_cast<DIDerivedType>(node);
    if (!base || base->getTag() != dwarf::DW_TAG_inheritance)
      continue;
    const DIType* found = declaringClass(base->getBaseType(), name);
    const auto* owner = dyn_cast_or_null<DICompositeType>(layout_.strip(found));
    bool declares = owner && any_of(owner->getElements(), [&](const DINode* member) {
                      const auto* one = dyn_cast<DISubprogram>(member);
                      return one && one->getName() == name && one->getVirtuality() != 0;
                    });
    if (declares)
      return found;
  }
  return type;
}

uint64_t SeedTables::method(const DISubprogram* function) {
  const DISubprogram* declared = function->getDeclaration() ? function->getDeclaration() : function;
  const DIType* owner = classOf(declared);
  std::string name = declared->getName().str();
  bool isDestructor = !name.empty() && name[0] == '~';
  if (owner && declared->getVirtuality() != 0 && !isDestructor)
    owner = declaringClass(owner, name);
  std::string ownerName = owner ? typeName(owner) : "";
  std::string bareOwner = owner ? layout_.strip(owner)->getName().split('<').first.str() : "";
  bool isConstructor = owner && name == bareOwner;
  DITypeRefArray types = function->getType()->getTypeArray();
  bool hasThis = types.size() > 1 && types[1] && (types[1]->getFlags() & DINode::FlagArtificial);
  std::string kind = isConstructor  ? "constructor"
                     : isDestructor ? "destructor"
                     : hasThis      ? "member"
                                    : "free";
  std::string qualified = owner ? ownerName + "::" + name : qualifiedName(declared);
  std::string signature = qualified + "(";
  std::string list;
  std::vector<SeedParameter> all = parameters(function);
  for (unsigned i = hasThis ? 2 : 1; i < types.size(); ++i) {
    signature += (i > (hasThis ? 2u : 1u) ? ", " : "") + typeName(types[i]);
    list += "\t" + std::to_string(all[i].type);
  }
  bool constant = hasThis && isConst(layout_.pointee(types[1]));
  signature += constant ? ") const" : ")";
  uint64_t id = xxh3_64bits(signature);
  if (!written_.insert(id).second)
    return id;
  uint64_t ownerId = owner ? type(owner) : 0;
  uint64_t result = all.empty() ? 0 : all[0].type;
  text_ += "M\t" + std::to_string(id) + "\t" + kind + "\t" + std::to_string(ownerId) + "\t" +
           (constant ? "1" : "0") + "\t" + std::to_string(result) + "\t" + name + "\t" + qualified +
           "\t" + signature + "\t" + pathOf(declared->getFile()) + list + "\n";
  if (owner && !isPublic(*declared))
    text_ += "P\t" + std::to_string(id) + "\n";
  return id;
}

void SeedTables::addDeclaredMethods(const Module& module) {
  DebugInfoFinder finder;
  finder.processModule(module);
  for (const DIType* type : finder.types()) {
    const auto* composite = dyn_cast<DICompositeType>(type);
    if (!composite || !layout_.isClass(type) || composite->isForwardDecl())
      continue;
    for (const DINode* node : composite->getElements()) {
      const auto* one = dyn_cast<DISubprogram>(node);
      if (one && isPublic(*one) && !one->isArtificial() && zoneOf(one) == Zone::Library)
        method(one);
    }
  }
}

} // namespace heddle::pass
