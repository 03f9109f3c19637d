#include "debug_variables.h"

#include "debug_scope.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::pass {
namespace {

// The record describes the variable as a whole, in this function.
template <typename Record> bool isPlain(const Record& record) {
  return record.getExpression()->getNumElements() == 0 && !record.getDebugLoc().getInlinedAt();
}

template <typename Records> const DILocalVariable* firstPlain(const Records& records) {
  for (const auto* record : records)
    if (isPlain(*record) && !record->getVariable()->getName().empty())
      return record->getVariable();
  return nullptr;
}

// A class that is passed by value but in memory: the argument is its address.
const DILocalVariable* indirectParameter(Value* address) {
  SmallVector<DbgValueInst*, 4> intrinsics;
  SmallVector<DbgVariableRecord*, 4> records;
  findDbgValues(intrinsics, address, &records);
  for (const DbgVariableRecord* record : records)
    if (record->getExpression()->getElements() == ArrayRef<uint64_t>{dwarf::DW_OP_deref})
      return record->getVariable();
  return nullptr;
}

} // namespace

const DILocalVariable* variableAt(const Value* address) {
  auto* value = const_cast<Value*>(address);
  if (const DILocalVariable* variable = firstPlain(findDVRDeclares(value)))
    return variable;
  // With optimization on, locals in memory are described by assignments to them.
  const auto* local = dyn_cast<AllocaInst>(address);
  if (local)
    return firstPlain(at::getDVRAssignmentMarkers(const_cast<AllocaInst*>(local)));
  return isa<Argument>(address) ? indirectParameter(value) : nullptr;
}

std::vector<const DILocalVariable*> variablesHolding(const Value* value) {
  SmallVector<DbgValueInst*, 4> intrinsics;
  SmallVector<DbgVariableRecord*, 4> records;
  findDbgValues(intrinsics, const_cast<Value*>(value), &records);
  std::vector<const DILocalVariable*> variables;
  for (const DbgVariableRecord* record : records)
    if (isPlain(*record) && !record->getVariable()->getName().empty())
      variables.push_back(record->getVariable());
  return variables;
}

GlobalName globalName(const GlobalVariable& global) {
  SmallVector<DIGlobalVariableExpression*, 1> expressions;
  global.getDebugInfo(expressions);
  if (expressions.empty()) {
    bool isSymbol =
        global.hasName() && !global.getName().starts_with(".") && !global.hasPrivateLinkage();
    return {isSymbol ? demangle(global.getName()) : "", nullptr};
  }
  const DIGlobalVariable* variable = expressions.front()->getVariable();
  const DIScope* scope = variable->getScope();
  if (const DIDerivedType* member = variable->getStaticDataMemberDeclaration())
    scope = member->getScope();
  std::string prefix = scope && !isa<DILocalScope>(scope) ? qualifiedName(scope) : "";
  std::string name = variable->getName().str();
  return {prefix.empty() ? name : prefix + "::" + name, variable->getType()};
}

} // namespace heddle::pass
