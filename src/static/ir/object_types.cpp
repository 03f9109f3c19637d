#include "static/ir/object_types.h"

#include "static/ir/standard_library.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace heddle::analysis {

const DILocalVariable* declaredVariable(const AllocaInst& local) {
  auto& mutableLocal = const_cast<AllocaInst&>(local); // LLVM's interface; nothing is changed
  for (DbgVariableRecord* record : findDVRDeclares(&mutableLocal))
    if (record->getExpression()->getNumElements() == 0)
      return record->getVariable();
  for (DbgVariableRecord* record : at::getDVRAssignmentMarkers(&mutableLocal))
    if (record->getAddress() == &local && record->getExpression()->getNumElements() == 0 &&
        !record->getExpression()->isFragment())
      return record->getVariable();
  return nullptr;
}

namespace {

const DIType* declaredType(const AllocaInst& local) {
  const DILocalVariable* variable = declaredVariable(local);
  return variable ? variable->getType() : nullptr;
}

/// The class of a parameter that is passed by value, where the caller has made the object for it.
const DIType* valueParameter(const Function& function, const DISubprogram& subprogram,
                             unsigned parameter) {
  unsigned hidden = function.hasStructRetAttr() ? 1 : 0;
  auto types = subprogram.getType()->getTypeArray();
  if (parameter < hidden || types.size() != function.arg_size() - hidden + 1)
    return nullptr; // structs in several registers: the parameters do not correspond
  const DIType* type = strippedType(types[parameter - hidden + 1]);
  return isClass(type) ? type : nullptr;
}

/// The type of a temporary, which has no name: what a call returns into it, whose constructor is
/// called for it, or which parameter it is made for.
const DIType* temporaryType(const AllocaInst& local) {
  for (const Use& use : local.uses()) {
    auto* call = dyn_cast<CallBase>(use.getUser());
    const Function* callee = call && call->isArgOperand(&use) ? call->getCalledFunction() : nullptr;
    const DISubprogram* subprogram = callee ? callee->getSubprogram() : nullptr;
    if (!subprogram || !subprogram->getType())
      continue;
    unsigned argument = call->getArgOperandNo(&use);
    if (const DIType* type = valueParameter(*callee, *subprogram, argument))
      return type;
    if (argument != 0)
      continue;
    if (callee->hasStructRetAttr()) {
      auto types = subprogram->getType()->getTypeArray();
      return types.size() ? types[0] : nullptr;
    }
    // Destructors do not tell: one that only calls that of a base class is an alias of it.
    if (const DICompositeType* type = constructedClass(*callee))
      return type;
  }
  return nullptr;
}

/// `allocate` of std::allocator and its relatives makes what the class is instantiated for.
const DIType* allocatorElement(const Function& function) {
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram)
    return nullptr;
  if (subprogram->getDeclaration())
    subprogram = subprogram->getDeclaration();
  auto* scope = dyn_cast_or_null<DICompositeType>(subprogram->getScope());
  if (!scope || subprogram->getName() != "allocate" || !scope->getName().contains("allocator"))
    return nullptr;
  const DIType* first = firstTemplateArgument(scope);
  return scope->getName().starts_with("allocator_traits<") ? firstTemplateArgument(first) : first;
}

/// The types of a function's result and of its parameters without `this`; nothing for a function
/// whose types are not known.
SmallVector<const DIType*, 4> signatureOf(const DISubprogram& function) {
  SmallVector<const DIType*, 4> types;
  if (const DISubroutineType* type = function.getType())
    for (const DIType* each : type->getTypeArray())
      if (!each || !each->isObjectPointer())
        types.push_back(strippedType(each));
  return types;
}

bool isInteger(const DIType* type) {
  auto* base = dyn_cast_or_null<DIBasicType>(type);
  return base && (base->getEncoding() == dwarf::DW_ATE_unsigned ||
                  base->getEncoding() == dwarf::DW_ATE_signed);
}

bool isPointerType(const DIType* type) {
  auto* pointer = dyn_cast_or_null<DIDerivedType>(type);
  return pointer && isPointer(*pointer);
}

/// Whether the class has `deallocate(pointer, how many)`.
bool takesBack(const DICompositeType& type) {
  return any_of(type.getElements(), [](const DINode* node) {
    auto* function = dyn_cast<DISubprogram>(node);
    if (!function || function->getName() != "deallocate")
      return false;
    auto types = signatureOf(*function);
    return types.size() >= 3 && isPointerType(types[1]) && isInteger(types[2]);
  });
}

const DIType* elementType(const DIType* type) {
  type = strippedType(type);
  while (type && type->getTag() == dwarf::DW_TAG_array_type)
    type = strippedType(cast<DICompositeType>(type)->getBaseType());
  return type;
}

} // namespace

const DICompositeType* constructedClass(const Function& function) {
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram)
    return nullptr;
  const DISubprogram* declaration = subprogram->getDeclaration();
  auto* type =
      dyn_cast_or_null<DICompositeType>((declaration ? declaration : subprogram)->getScope());
  bool isNamedAlike = type && !type->getName().empty() &&
                      subprogram->getName().split('<').first == type->getName().split('<').first;
  return isNamedAlike ? type : nullptr;
}

const DIType* allocatedType(const Function& function) {
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram || subprogram->getName() != "allocate")
    return nullptr;
  if (subprogram->getDeclaration())
    subprogram = subprogram->getDeclaration();
  auto* scope = dyn_cast_or_null<DICompositeType>(subprogram->getScope());
  auto types = signatureOf(*subprogram);
  if (!scope || isStandard(*scope) || types.size() < 2 || !isPointerType(types[0]) ||
      !isInteger(types[1]) || !takesBack(*scope))
    return nullptr;
  return strippedType(cast<DIDerivedType>(types[0])->getBaseType());
}

const DIType* objectType(const Value& site) {
  if (auto* local = dyn_cast<AllocaInst>(&site)) {
    const DIType* declared = declaredType(*local);
    return elementType(declared ? declared : temporaryType(*local));
  }
  if (auto* global = dyn_cast<GlobalVariable>(&site)) {
    SmallVector<DIGlobalVariableExpression*, 1> variables;
    global->getDebugInfo(variables);
    return variables.empty() ? nullptr : elementType(variables[0]->getVariable()->getType());
  }
  if (auto* call = dyn_cast<CallBase>(&site)) {
    if (auto* type = dyn_cast_or_null<DIType>(call->getMetadata("heapallocsite")))
      return elementType(type);
    if (const Function* callee = call->getCalledFunction())
      if (const DIType* made = allocatedType(*callee))
        return elementType(made);
    return elementType(allocatorElement(*call->getFunction()));
  }
  return nullptr;
}

bool isTextObject(const Value& site) {
  if (auto* call = dyn_cast<CallBase>(&site))
    return !call->getMetadata("heapallocsite") &&
           isCharacter(allocatorElement(*call->getFunction()));
  auto* global = dyn_cast<GlobalVariable>(&site);
  return global && global->isConstant() && global->hasInitializer() &&
         isa<ConstantDataSequential>(global->getInitializer());
}

} // namespace heddle::analysis
