#include "global_sets.h"

#include "call_graph.h"
#include "debug_scope.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle::pass {
namespace {

const GlobalVariable* sharedGlobal(const Value* address) {
  const auto* global = address && address->getType()->isPointerTy()
                           ? dyn_cast<GlobalVariable>(getUnderlyingObject(address))
                           : nullptr;
  bool counts = global && !global->isConstant() && !global->isThreadLocal() &&
                !global->getName().starts_with("__heddle") && !global->getName().starts_with(".") &&
                !global->getName().starts_with("_ZGV") && !global->getName().starts_with("_ZTV");
  return counts ? global : nullptr;
}

const Value* accessedAddress(const Instruction& instruction) {
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return getLoadStorePointerOperand(&instruction);
}

/// Calls visit(global) for each global that the instruction uses.
template <typename Visit> void eachUsedGlobal(const Instruction& instruction, Visit visit) {
  if (const GlobalVariable* global = sharedGlobal(accessedAddress(instruction)))
    visit(*global);
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || isa<DbgInfoIntrinsic>(call))
    return;
  for (const Value* argument : call->args())
    if (const GlobalVariable* global = sharedGlobal(argument); global && !setOf(*global).empty())
      visit(*global);
}

/// The sets in which the globals of the function's file and the static members of its class are.
std::vector<std::string> setsAround(const Function& function) {
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram)
    return {};
  std::vector<std::string> sets;
  if (subprogram->getFile())
    sets.push_back(subprogram->getFile()->getFilename().str());
  const DISubprogram* declaration = subprogram->getDeclaration();
  if (const auto* owner =
          dyn_cast_or_null<DIType>(declaration ? declaration->getScope() : subprogram->getScope()))
    sets.push_back(qualifiedName(owner));
  return sets;
}

using Functions = std::set<const Function*>;

std::set<const BasicBlock*> blocksInLoops(const Function& function) {
  std::set<const BasicBlock*> blocks;
  for (auto component = scc_begin(&function); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      blocks.insert(component->begin(), component->end());
  return blocks;
}

} // namespace

std::string setOf(const GlobalVariable& global) {
  SmallVector<DIGlobalVariableExpression*, 1> expressions;
  global.getDebugInfo(expressions);
  if (expressions.empty())
    return ""; // defined elsewhere: its own file knows
  const DIGlobalVariable* variable = expressions.front()->getVariable();
  if (const DIDerivedType* member = variable->getStaticDataMemberDeclaration())
    return qualifiedName(member->getScope());
  return variable->getFile() ? variable->getFile()->getFilename().str() : "";
}

std::vector<const GlobalVariable*> globalsUsedBy(const Function& function) {
  std::vector<const GlobalVariable*> globals;
  std::set<const GlobalVariable*> seen;
  for (const Instruction& instruction : instructions(function))
    eachUsedGlobal(instruction, [&](const GlobalVariable& global) {
      if (seen.insert(&global).second)
        globals.push_back(&global);
    });
  return globals;
}

GlobalSets::GlobalSets(const Module& module) {
  std::map<const Function*, Functions> callers;
  std::vector<std::pair<const Function*, std::string>> work;
  auto use = [&](const Function& function, const std::string& set) {
    if (!set.empty() && used_[&function].insert(set).second)
      work.emplace_back(&function, set);
  };
  for (const Function& function : module) {
    for (const Instruction& instruction : instructions(function))
      if (const auto* call = dyn_cast<CallBase>(&instruction))
        if (const Function* callee = directCallee(*call))
          callers[callee].insert(&function);
    for (const GlobalVariable* global : globalsUsedBy(function))
      use(function, setOf(*global));
  }
  while (!work.empty()) {
    auto [function, set] = std::move(work.back());
    work.pop_back();
    for (const Function* caller : callers[function])
      use(*caller, set);
  }
}

bool GlobalSets::isUsed(const Function* function, const std::string& set) const {
  auto used = function ? used_.find(function) : used_.end();
  return used != used_.end() && used->second.contains(set);
}

bool GlobalSets::isPutTogether(const Function& function, const std::string& set) const {
  std::set<const BasicBlock*> loops = blocksInLoops(function);
  unsigned calls = 0;
  unsigned own = 0;
  for (const Instruction& instruction : instructions(function)) {
    if (loops.contains(instruction.getParent()))
      continue;
    eachUsedGlobal(instruction, [&](const GlobalVariable& global) { own += setOf(global) == set; });
    const auto* call = dyn_cast<CallBase>(&instruction);
    calls += call && isUsed(directCallee(*call), set);
  }
  return calls >= 2 || (calls == 1 && own != 0);
}

std::vector<std::string> GlobalSets::putTogetherBy(const Function& function) const {
  std::vector<std::string> sets;
  for (std::string& set : setsAround(function))
    if (isUsed(&function, set) && isPutTogether(function, set))
      sets.push_back(std::move(set));
  return sets;
}

} // namespace heddle::pass
