#include "unit_entries.h"

#include "annotated_functions.h"
#include "debug_scope.h"
#include "debug_variables.h"
#include "model/library_paths.h"
#include "model/member_layout.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle::pass {
namespace {

/// Beyond so many objects a function says little about any of them.
constexpr size_t kMaxEntries = 16;
constexpr size_t kMaxMembers = 256;
constexpr int kMaxBases = 16; ///< depth

bool isConstant(const DIType* type) {
  for (; type; type = cast<DIDerivedType>(type)->getBaseType()) {
    if (type->getTag() == dwarf::DW_TAG_const_type)
      return true;
    if (type->getTag() != dwarf::DW_TAG_typedef && type->getTag() != dwarf::DW_TAG_volatile_type)
      return false;
  }
  return false;
}

void addMembers(const TypeLayout& types, const DIType* type, uint64_t base, int depth,
                std::vector<Member>& members) {
  const auto* composite = dyn_cast_or_null<DICompositeType>(types.strip(type));
  if (!composite || depth == kMaxBases)
    return;
  for (const DINode* node : composite->getElements()) {
    const auto* element = dyn_cast_or_null<DIDerivedType>(node);
    if (!element || element->isStaticMember() || members.size() == kMaxMembers)
      continue;
    uint64_t offset = base + element->getOffsetInBits() / 8;
    if (element->getTag() == dwarf::DW_TAG_inheritance)
      addMembers(types, element->getBaseType(), offset, depth + 1, members);
    else if (element->getTag() == dwarf::DW_TAG_member && element->getName().empty())
      addMembers(types, element->getBaseType(), offset, depth + 1, members); // unnamed union
    else if (element->getTag() == dwarf::DW_TAG_member)
      members.push_back({element->getName().str(), offset, types.sizeOf(element->getBaseType()),
                         isConstant(element->getBaseType())});
  }
}

/// Mutexes and the like keep no data of the program; a thread's own objects are not shared.
bool isSyncClass(const std::string& name) {
  for (StringRef word : {"mutex", "condition_variable", "lock_guard", "unique_lock", "shared_lock",
                         "scoped_lock", "semaphore", "latch", "barrier", "once_flag", "thread"})
    if (StringRef(name).starts_with("std::") && StringRef(name).contains(word))
      return true;
  return StringRef(name).starts_with("pthread_") || name == "sem_t";
}

bool isPublic(const DISubprogram& function) {
  const DISubprogram* declaration = function.getDeclaration();
  const DISubprogram& stated = declaration ? *declaration : function;
  if (auto access = stated.getFlags() & DINode::FlagAccessibility; access != 0)
    return access == DINode::FlagPublic;
  const auto* scope = dyn_cast_or_null<DICompositeType>(stated.getScope());
  return !scope || scope->getTag() != dwarf::DW_TAG_class_type;
}

bool isStandardLibrary(StringRef linkageName) {
  for (StringRef prefix : {"_ZNS", "_ZNKS", "_ZS", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"})
    if (linkageName.starts_with(prefix))
      return true;
  return false;
}

/// The type of the parameter as the source has it; null where the argument is not its value.
const DILocalVariable* parameterOf(const Argument& argument) {
  for (const DILocalVariable* variable : variablesHolding(&argument))
    if (variable->getArg() != 0)
      return variable;
  return nullptr;
}

Site entrySite(const Function& function) {
  Site site;
  site.kind = SiteKind::Enter;
  SourcePlace place = sourcePlace(*function.getEntryBlock().getFirstNonPHIOrDbg());
  site.file = place.file;
  if (const DISubprogram* subprogram = function.getSubprogram())
    site.line = subprogram->getLine();
  return site;
}

/// The class that it is a member of, or null.
const DIType* ownerOf(const DISubprogram& subprogram) {
  const DISubprogram* declaration = subprogram.getDeclaration();
  return dyn_cast_or_null<DIType>(declaration ? declaration->getScope() : subprogram.getScope());
}

bool isInLibrary(const Function& function) {
  return sourcePlace(*function.getEntryBlock().getFirstNonPHIOrDbg()).inLibrary;
}

uint32_t bytes(uint64_t size) { return size > UINT32_MAX ? 0 : static_cast<uint32_t>(size); }

} // namespace

UnitEntries::UnitEntries(const Module& module) : types_(module), globals_(module) {
  eachAnnotation(module, [&](const Function& function, StringRef text) {
    if (text == "heddle:unit")
      declared_.insert(&function);
    if (text == "heddle:not-unit")
      excluded_.insert(&function);
  });
}

std::string UnitEntries::members(const DIType* type) const {
  std::vector<Member> members;
  addMembers(types_, type, 0, 0, members);
  return printMembers(members);
}

bool UnitEntries::isUnit(const Function& function) const {
  if (declared_.contains(&function) || excluded_.contains(&function))
    return declared_.contains(&function);
  if (function.isPresplitCoroutine() || function.getName() == "main" ||
      function.getName().starts_with("_GLOBAL_") || function.getName().starts_with("__cxx_global"))
    return false;
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram)
    return !isStandardLibrary(function.getName()) && !function.getName().contains("Ul");
  const DIType* owner = ownerOf(*subprogram);
  return !(owner && types_.isClosure(owner)) && !isInLibrary(function);
}

bool UnitEntries::isThreadBody(const Function& function) const {
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram || excluded_.contains(&function) || function.isPresplitCoroutine())
    return false;
  const DIType* owner = ownerOf(*subprogram);
  bool isClosure = owner && types_.isClosure(owner);
  return (isClosure || function.getName() == "main") && !isInLibrary(function);
}

void UnitEntries::addParameters(Function& function, std::vector<Site>& sites) const {
  for (const Argument& argument : function.args()) {
    const DILocalVariable* variable = parameterOf(argument);
    if (!variable || !argument.getType()->isPointerTy() || argument.hasByValAttr())
      continue;
    const DIType* object = types_.pointee(variable->getType());
    bool isThis = variable->isArtificial() && variable->getName() == "this";
    if (!object || !types_.isClass(object) || types_.isClosure(object) ||
        types_.sizeOf(object) == 0)
      continue;
    std::string name = types_.name(object);
    if (isSyncClass(name))
      continue;
    Site& site = sites.emplace_back(entrySite(function));
    site.parameter = static_cast<int>(argument.getArgNo());
    site.object = name;
    if (isThis && !isPublic(*function.getSubprogram()) && !declared_.contains(&function))
      site.flags |= kSiteUndeclared;
    site.size = bytes(types_.sizeOf(object));
    site.callee = members(object);
  }
}

/// References and `this` still say how large their object is.
void UnitEntries::addParametersWithoutTypes(Function& function, std::vector<Site>& sites) const {
  for (const Argument& argument : function.args()) {
    uint64_t size = argument.getDereferenceableBytes();
    if (size == 0 || argument.hasByValAttr() || argument.hasStructRetAttr())
      continue;
    Site& site = sites.emplace_back(entrySite(function));
    site.parameter = static_cast<int>(argument.getArgNo());
    site.size = bytes(size);
  }
}

void UnitEntries::addGlobals(Function& function, std::vector<Site>& sites) const {
  for (const GlobalVariable* global : globalsUsedBy(function)) {
    GlobalName name = globalName(*global);
    if (name.type && isSyncClass(types_.name(name.type)))
      continue;
    Site& site = sites.emplace_back(entrySite(function));
    site.global = const_cast<GlobalVariable*>(global);
    site.flags |= kSiteGlobal;
    site.object = setOf(*global);
    uint64_t size =
        function.getDataLayout().getTypeAllocSize(global->getValueType()).getFixedValue();
    site.size = bytes(size);
    site.callee = printMembers({{name.text, 0, size, false}});
  }
}

/// First that for all objects, which counts when somebody says that the function is a unit.
void UnitEntries::addCallees(const Function& function, std::vector<Site>& sites) const {
  Site& all = sites.emplace_back(entrySite(function));
  all.flags |= kSiteCallees;
  if (!declared_.contains(&function))
    all.flags |= kSiteUndeclared;
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram || function.hasLocalLinkage() || !isPublic(*subprogram))
    return; // a part of what the file or the class does
  for (const std::string& set : globals_.putTogetherBy(function)) {
    Site& site = sites.emplace_back(entrySite(function));
    site.flags |= kSiteCallees | kSiteGlobal;
    site.object = set;
  }
}

std::string UnitEntries::partOf(const DIType* type, int64_t offset, uint64_t size) const {
  if (offset == 0 && size == types_.sizeOf(type))
    return types_.name(type);
  for (const Member& member : parseMembers(members(type)))
    if (static_cast<uint64_t>(offset) >= member.offset &&
        static_cast<uint64_t>(offset) < member.offset + member.size)
      return types_.name(type) + "::" + member.name;
  return "";
}

std::string UnitEntries::declaredObject(const CallBase& call) const {
  const DataLayout& layout = call.getDataLayout();
  int64_t offset = 0;
  const Value* base = GetPointerBaseWithConstantOffset(call.getArgOperand(0), offset, layout);
  const auto* bytes = dyn_cast<ConstantInt>(call.getArgOperand(1));
  uint64_t size = bytes ? bytes->getZExtValue() : 0;
  if (const auto* argument = dyn_cast<Argument>(base)) {
    const DILocalVariable* variable = parameterOf(*argument);
    const DIType* type = variable ? types_.pointee(variable->getType()) : nullptr;
    return type && types_.isClass(type) ? partOf(type, offset, size) : "";
  }
  const auto* global = dyn_cast<GlobalVariable>(base);
  if (!global)
    return "";
  GlobalName name = globalName(*global);
  bool isPart = name.type && types_.isClass(name.type) && size != types_.sizeOf(name.type);
  return isPart ? partOf(name.type, offset, size) : name.text;
}

void UnitEntries::describeDeclarations(std::vector<Site>& sites) const {
  for (Site& site : sites) {
    bool isSet = site.callee == "heddle_atomic_set";
    if (site.kind != SiteKind::Call || !(isSet || site.callee == "heddle_not_in_set"))
      continue;
    const auto& call = cast<CallBase>(*site.instructions.front());
    if (std::string object = declaredObject(call); !object.empty())
      site.object = object;
    StringRef name;
    if (isSet && getConstantStringInfo(call.getArgOperand(2), name))
      site.callee += "(" + name.str() + ")";
  }
}

std::vector<Site> UnitEntries::of(Function& function) const {
  std::vector<Site> sites;
  if (!isUnit(function)) {
    if (isThreadBody(function))
      addCallees(function, sites);
    return sites;
  }
  addCallees(function, sites);
  if (function.getSubprogram())
    addParameters(function, sites);
  else
    addParametersWithoutTypes(function, sites);
  addGlobals(function, sites);
  if (sites.size() > kMaxEntries)
    sites.resize(kMaxEntries);
  return sites;
}

} // namespace heddle::pass
