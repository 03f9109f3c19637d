#include "site_skips.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle::pass {
namespace {

// Far more than any function has; LLVM's own limit is an -O trade-off that would make the answer
// depend on how many lifetime markers there are.
constexpr unsigned kMaxUses = 1000;

bool isVtableName(StringRef name) {
  return name.starts_with("_ZTV") || name.starts_with("_ZTC") || name.starts_with("_ZTT");
}

bool isVtableGlobal(const Value* value) {
  const auto* global = dyn_cast<GlobalVariable>(value->stripInBoundsConstantOffsets());
  return global && isVtableName(global->getName());
}

// Base-object constructors and destructors of classes with virtual bases get the table of their
// vtables as the second argument. A reference, as copy constructors get it, is none.
bool isVttArgument(const Value* value) {
  const auto* argument = dyn_cast<Argument>(value);
  if (!argument || argument->getArgNo() != 1 || argument->getDereferenceableBytes() != 0 ||
      argument->hasNonNullAttr(/*AllowUndefOrPoison=*/true))
    return false;
  StringRef name = argument->getParent()->getName();
  return name.starts_with("_ZN") && (name.contains("C2E") || name.contains("D2E"));
}

const CallBase* soleCallThrough(const Value* slot) {
  if (!slot->hasOneUse())
    return nullptr;
  const auto* user = slot->user_back();
  if (const auto* phi = dyn_cast<PHINode>(user)) {
    if (!phi->hasOneUse())
      return nullptr;
    const auto* call = dyn_cast<CallBase>(phi->user_back());
    return call && call->getCalledOperand() == phi ? call : nullptr;
  }
  const auto* call = dyn_cast<CallBase>(user);
  return call && call->getCalledOperand() == slot ? call : nullptr;
}

// A virtual call passes the object whose first word is the vtable pointer as `this`. That tells it
// from a call through a table of function pointers, which is an access like any other.
bool isVirtualCallSlot(const Value* slot, const Value* object) {
  const CallBase* call = soleCallThrough(slot);
  return call && any_of(call->args(), [&](const Use& argument) { return argument == object; });
}

bool isSlotUse(const LoadInst& vtable, const Value* address) {
  return any_of(address->users(), [&](const User* user) {
    const auto* load = dyn_cast<LoadInst>(user);
    return load && isVirtualCallSlot(load, vtable.getPointerOperand());
  });
}

// Offsets of virtual bases, the offset to the top and the type information stand before the
// address point; no array is indexed so.
bool isNegativeOffset(const GetElementPtrInst& step) {
  APInt offset(64, 0);
  return step.accumulateConstantOffset(step.getDataLayout(), offset) && offset.isNegative();
}

} // namespace

SiteSkips::SiteSkips(const Module& module) {
  hasVtables_ =
      any_of(module.functions(), [](const Function& f) { return f.getName().starts_with("_Z"); });
}

bool SiteSkips::escapes(const Value* local) {
  auto [entry, isNew] = escapes_.try_emplace(local, true);
  if (isNew)
    entry->second =
        PointerMayBeCaptured(local, /*ReturnCaptures=*/true, /*StoreCaptures=*/true, kMaxUses);
  return entry->second;
}

bool SiteSkips::isThreadPrivate(const Value* address) {
  const Value* object = getUnderlyingObject(address, /*MaxLookup=*/0);
  if (isa<AllocaInst>(object))
    return !escapes(object);
  if (const auto* argument = dyn_cast<Argument>(object))
    return argument->hasByValAttr() && !escapes(argument);
  if (const auto* global = dyn_cast<GlobalVariable>(object))
    return global->isThreadLocal();
  const auto* call = dyn_cast<CallBase>(object);
  if (!call || !call->getCalledFunction())
    return false;
  if (call->getIntrinsicID() == Intrinsic::threadlocal_address)
    return true;
  StringRef name = call->getCalledFunction()->getName();
  return name.starts_with("_ZTW") || name == "__errno_location" ||
         name == "__cxa_allocate_exception";
}

bool SiteSkips::isConstantMemory(const Value* address) const {
  const auto* global = dyn_cast<GlobalVariable>(getUnderlyingObject(address, /*MaxLookup=*/0));
  return global && (global->isConstant() || isVtableName(global->getName()));
}

bool SiteSkips::isVtablePointerLoad(const LoadInst& load) const {
  if (!load.getType()->isPointerTy() || load.isVolatile() || load.isAtomic())
    return false;
  return any_of(load.users(), [&](const User* user) {
    if (const auto* step = dyn_cast<GetElementPtrInst>(user))
      return isNegativeOffset(*step) || isSlotUse(load, step);
    const auto* slot = dyn_cast<LoadInst>(user);
    return slot && isVirtualCallSlot(slot, load.getPointerOperand());
  });
}

bool SiteSkips::isVtablePointerStore(const StoreInst& store) const {
  const Value* value = store.getValueOperand();
  if (isVtableGlobal(value))
    return true;
  const auto* load = dyn_cast<LoadInst>(value);
  if (!load)
    return false;
  const Value* source = getUnderlyingObject(load->getPointerOperand(), /*MaxLookup=*/0);
  return isVtableGlobal(source) || isVttArgument(source);
}

bool SiteSkips::isVtableAccess(const Instruction& instruction) const {
  if (!hasVtables_)
    return false;
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return isVtablePointerStore(*store);
  const auto* load = dyn_cast<LoadInst>(&instruction);
  if (!load)
    return false;
  if (isVtablePointerLoad(*load) || isVttArgument(load->getPointerOperand()))
    return true;
  const Value* table = load->getPointerOperand();
  if (const auto* step = dyn_cast<GetElementPtrInst>(table))
    table = step->getPointerOperand();
  if (isVttArgument(table))
    return true;
  const auto* vtable = dyn_cast<LoadInst>(table);
  return vtable && isVtablePointerLoad(*vtable);
}

} // namespace heddle::pass
