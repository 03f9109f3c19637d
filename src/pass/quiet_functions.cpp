#include "quiet_functions.h"

#include "assembly.h"
#include "call_graph.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace heddle::pass {
namespace {

const Quietness kLoud = {};
Quietness silent() { return {true, false, false, {}}; }

// A write is quiet into locals, and into what the caller lent.
Quietness writeTo(const Value* address) {
  const Value* object = getUnderlyingObject(address, /*MaxLookup=*/0);
  Quietness result = silent();
  if (isa<AllocaInst>(object))
    return result;
  const auto* argument = dyn_cast<Argument>(object);
  if (!argument)
    return kLoud;
  result.writtenArguments.insert(argument->getArgNo());
  return result;
}

Quietness readFrom(const Value* address) {
  Quietness result = silent();
  result.reads = !isa<AllocaInst>(getUnderlyingObject(address, /*MaxLookup=*/0));
  return result;
}

// Repeating these with the same operand leaves the memory as the first did: a loop around them
// waits. A loop around fetch_add gets on.
bool isRepeatable(AtomicRMWInst::BinOp operation) {
  return operation == AtomicRMWInst::Xchg || operation == AtomicRMWInst::And ||
         operation == AtomicRMWInst::Or;
}

Quietness ofAssembly(const CallBase& call) {
  AssemblyEffect effect = assemblyEffect(call);
  return {effect.repeatable, effect.reads(), effect.updates(), {}};
}

Quietness ofIntrinsic(const IntrinsicInst& intrinsic) {
  if (const auto* range = dyn_cast<MemIntrinsic>(&intrinsic))
    return writeTo(range->getRawDest());
  bool harmless = intrinsic.isAssumeLikeIntrinsic() || !intrinsic.mayWriteToMemory() ||
                  intrinsic.getIntrinsicID() == Intrinsic::x86_sse2_pause;
  return harmless ? silent() : kLoud;
}

void merge(Quietness& into, const Quietness& part) {
  into.quiet = into.quiet && part.quiet;
  into.reads = into.reads || part.reads;
  into.updates = into.updates || part.updates;
  into.writtenArguments.insert(part.writtenArguments.begin(), part.writtenArguments.end());
}

} // namespace

Quietness QuietFunctions::ofCall(const CallBase& call) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call))
    return ofIntrinsic(*intrinsic);
  if (call.isInlineAsm())
    return ofAssembly(call);
  if (call.doesNotReturn())
    return silent();
  const Function* callee = ownCallee(call);
  if (!callee) {
    Quietness result = call.onlyReadsMemory() ? silent() : kLoud;
    result.reads = !call.doesNotAccessMemory();
    return result;
  }
  const Quietness& inside = ofFunction(*callee);
  Quietness result = {inside.quiet, inside.reads, inside.updates, {}};
  for (unsigned index : inside.writtenArguments)
    if (index < call.arg_size())
      merge(result, writeTo(call.getArgOperand(index)));
  return result;
}

Quietness QuietFunctions::ofInstruction(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return readFrom(load->getPointerOperand());
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return store->isAtomic() ? kLoud : writeTo(store->getPointerOperand());
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return {isRepeatable(update->getOperation()), true, true, {}};
  if (isa<AtomicCmpXchgInst>(instruction))
    return {true, true, true, {}};
  if (const auto* call = dyn_cast<CallBase>(&instruction))
    return ofCall(*call);
  return isa<FenceInst>(instruction) || !instruction.mayWriteToMemory() ? silent() : kLoud;
}

bool QuietFunctions::writesArgument(const Function& function, unsigned argument) {
  if (function.isDeclarationForLinker())
    return !function.onlyReadsMemory();
  const Quietness& inside = ofFunction(function);
  return !inside.quiet || inside.writtenArguments.count(argument);
}

const Quietness& QuietFunctions::ofFunction(const Function& function) {
  auto [entry, isNew] = known_.try_emplace(&function, kLoud); // stays so for recursion
  if (!isNew)
    return entry->second;
  Quietness result = silent();
  for (const Instruction& instruction : instructions(function)) {
    merge(result, ofInstruction(instruction));
    if (!result.quiet)
      break;
  }
  return known_[&function] = result;
}

} // namespace heddle::pass
