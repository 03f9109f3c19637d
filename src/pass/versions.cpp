#include "versions.h"

#include "call_graph.h"
#include "clone_function.h"
#include "promises.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle::pass {
namespace {

constexpr const char* kPlainSuffix = ".hd.p";
constexpr const char* kHookedSuffix = ".hd.h";

bool isMergedByLinker(const Function& function) {
  return function.hasLinkOnceODRLinkage() || function.hasWeakODRLinkage();
}

// Inline functions have their clones merged like themselves. The clones of all others are called
// from this file only; internal linkage lets the optimizer treat them like static functions.
void setCloneLinkage(Function& clone, const Function& original) {
  clone.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  if (!isMergedByLinker(original)) {
    clone.setVisibility(GlobalValue::DefaultVisibility);
    clone.setLinkage(GlobalValue::InternalLinkage);
    clone.setComdat(nullptr);
    return;
  }
  clone.setLinkage(GlobalValue::LinkOnceODRLinkage);
  clone.setVisibility(GlobalValue::HiddenVisibility);
  clone.setDSOLocal(true);
  clone.setComdat(clone.getParent()->getOrInsertComdat(clone.getName()));
}

Function* moveBody(Function& function) {
  auto* plain = Function::Create(function.getFunctionType(), function.getLinkage(),
                                 function.getAddressSpace(), function.getName() + kPlainSuffix);
  function.getParent()->getFunctionList().insertAfter(function.getIterator(), plain);
  plain->copyAttributesFrom(&function);
  plain->setIsNewDbgInfoFormat(function.IsNewDbgInfoFormat);
  plain->setPrefixData(nullptr);
  plain->setPrologueData(nullptr);
  plain->splice(plain->begin(), &function);
  for (auto [from, to] : zip(function.args(), plain->args())) {
    to.takeName(&from);
    from.replaceAllUsesWith(&to);
  }
  plain->setSubprogram(function.getSubprogram());
  if (MDNode* profile = function.getMetadata(LLVMContext::MD_prof))
    plain->setMetadata(LLVMContext::MD_prof, profile);
  function.setSubprogram(nullptr);
  function.setPersonalityFn(nullptr);
  setCloneLinkage(*plain, function);
  return plain;
}

Function* cloneHooked(Function& plain, const Function& function) {
  auto* hooked = Function::Create(plain.getFunctionType(), plain.getLinkage(),
                                  plain.getAddressSpace(), function.getName() + kHookedSuffix);
  plain.getParent()->getFunctionList().insertAfter(plain.getIterator(), hooked);
  cloneInto(*hooked, plain);
  setCloneLinkage(*hooked, function);
  return hooked;
}

void dropCoroutineAttributes(Function& dispatcher) {
  dispatcher.removeFnAttr(Attribute::PresplitCoroutine);
  dispatcher.removeFnAttr(Attribute::CoroDestroyOnlyWhenComplete);
}

// LLVM 19 copies a large value that a musttail call hands on over the return address. Without
// musttail it is copied once more, which only costs time.
bool hasByValue(const Function& function) {
  return any_of(function.args(), [](const Argument& a) { return a.hasByValAttr(); });
}

void emitReturn(IRBuilder<>& builder, Function& dispatcher, Function& target) {
  SmallVector<Value*, 8> arguments;
  for (Argument& argument : dispatcher.args())
    arguments.push_back(&argument);
  CallInst* call = builder.CreateCall(&target, arguments);
  if (!hasByValue(dispatcher))
    call->setTailCallKind(CallInst::TCK_MustTail);
  call->setCallingConv(dispatcher.getCallingConv());
  call->setAttributes(AttributeList::get(builder.getContext(), AttributeSet(),
                                         target.getAttributes().getRetAttrs(), {}));
  for (unsigned i = 0; i < arguments.size(); ++i)
    for (Attribute attribute : target.getAttributes().getParamAttrs(i))
      call->addParamAttr(i, attribute);
  // With both clones in the dispatcher equal parts of them would become one, whose place in the
  // source is the dispatcher: backtraces would lose the frame.
  call->setIsNoInline();
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
}

// A debugger steps over functions that have no lines: it must see some in the dispatcher to step
// into the clone that it calls. The dispatcher's subprogram has no name, so that the name means the
// clones.
DILocation* describeDispatcher(Function& dispatcher, const Versions& versions) {
  const DISubprogram* described = versions.plain->getSubprogram();
  if (!described)
    return nullptr;
  LLVMContext& context = dispatcher.getContext();
  auto* type = DISubroutineType::get(context, DINode::FlagZero, 0, nullptr);
  auto* subprogram = DISubprogram::getDistinct(
      context, described->getFile(), "", "", described->getFile(), described->getLine(), type,
      described->getScopeLine(), nullptr, 0, 0, DINode::FlagArtificial,
      DISubprogram::toSPFlags(/*IsLocalToUnit=*/true, /*IsDefinition=*/true,
                              /*IsOptimized=*/described->isOptimized()),
      described->getUnit());
  dispatcher.setSubprogram(subprogram);
  return DILocation::get(context, described->getScopeLine(), 0, subprogram);
}

void emitDispatcher(Function& dispatcher, const Versions& versions, Constant* mode) {
  dropPromises(dispatcher);
  dropCoroutineAttributes(dispatcher);
  LLVMContext& context = dispatcher.getContext();
  auto* entry = BasicBlock::Create(context, "", &dispatcher);
  auto* hooked = BasicBlock::Create(context, "", &dispatcher);
  auto* plain = BasicBlock::Create(context, "", &dispatcher);
  IRBuilder<> builder(entry);
  builder.SetCurrentDebugLocation(describeDispatcher(dispatcher, versions));
  // Volatile: nothing in this module ever writes the byte.
  Value* isHooked =
      builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), mode, /*isVolatile=*/true));
  builder.CreateCondBr(isHooked, hooked, plain);
  builder.SetInsertPoint(hooked);
  emitReturn(builder, dispatcher, *versions.hooked);
  builder.SetInsertPoint(plain);
  emitReturn(builder, dispatcher, *versions.plain);
}

using VersionMap = DenseMap<const Function*, const Versions*>;

Function* pick(const Versions& versions, bool hooked) {
  return hooked ? versions.hooked : versions.plain;
}

// The body of an await_suspend call is a function of its own that the intrinsic names.
void retargetAwait(CallBase& intrinsic, const VersionMap& map, bool hooked) {
  switch (intrinsic.getIntrinsicID()) {
  case Intrinsic::coro_await_suspend_void:
  case Intrinsic::coro_await_suspend_bool:
  case Intrinsic::coro_await_suspend_handle:
    break;
  default:
    return;
  }
  auto found = map.find(dyn_cast<Function>(intrinsic.getArgOperand(2)));
  if (found != map.end())
    intrinsic.setArgOperand(2, pick(*found->second, hooked));
}

// Whether a call of a function takes bounded time: no loop and no recursion in it or in those that
// it calls in this file. What happens elsewhere is decided there.
class ShortFunctions {
public:
  explicit ShortFunctions(const VersionMap& map) : map_(map) {}

  bool contains(const Function& function) {
    auto [place, isNew] = known_.try_emplace(&function, false); // while it is looked at: recursion
    if (!isNew)
      return place->second;
    bool isShort = looksShort(*map_.find(&function)->second->plain);
    return known_[&function] = isShort;
  }

private:
  bool looksShort(const Function& body) {
    SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 4> loops;
    FindFunctionBackedges(body, loops);
    if (!loops.empty())
      return false;
    for (const Instruction& instruction : instructions(body)) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      const Function* callee = call ? ownCallee(*call) : nullptr;
      if (callee && map_.contains(callee) && !contains(*callee))
        return false;
    }
    return true;
  }

  const VersionMap& map_;
  DenseMap<const Function*, bool> known_;
};

// Plain clones call plain ones. Hooked ones call hooked ones where that is short, so that it can be
// inlined, and otherwise ask: a loop in which nothing is active shall run without hooks.
void retargetCalls(Function& clone, const VersionMap& map, bool hooked,
                   const DenseSet<const Function*>& asked) {
  for (Instruction& instruction : instructions(clone)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (!call)
      continue;
    if (call->getIntrinsicID() != Intrinsic::not_intrinsic) {
      retargetAwait(*call, map, hooked);
      continue;
    }
    if (hooked && !call->isInlineAsm())
      dropPromises(*call);
    auto found = map.find(ownCallee(*call));
    if (found != map.end() && !(hooked && asked.contains(found->first)))
      call->setCalledFunction(pick(*found->second, hooked));
  }
}

} // namespace

std::vector<Versions> versionFunctions(const ModuleSites& sites, const SiteArrays& arrays) {
  std::vector<Versions> all(sites.functions.size());
  VersionMap map;
  for (size_t i = 0; i < all.size(); ++i) {
    Function& function = *sites.functions[i].function;
    if (sites.functions[i].treatment == Treatment::Single) {
      all[i].hooked = &function;
      dropPromises(function);
      continue;
    }
    all[i].plain = moveBody(function);
    all[i].hooked = cloneHooked(*all[i].plain, function);
    dropPromises(*all[i].hooked);
    map[&function] = &all[i];
  }
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].plain)
      emitDispatcher(*sites.functions[i].function, all[i], arrays.functionMode(i));
  DenseSet<const Function*> asked;
  ShortFunctions shortOnes(map);
  for (const auto& [function, versions] : map)
    if (!shortOnes.contains(*function))
      asked.insert(function);
  for (const Versions& versions : all) {
    if (!versions.plain)
      continue;
    retargetCalls(*versions.plain, map, /*hooked=*/false, asked);
    retargetCalls(*versions.hooked, map, /*hooked=*/true, asked);
  }
  return all;
}

} // namespace heddle::pass
