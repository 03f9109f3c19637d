#include "site_collector.h"

#include "assembly.h"
#include "call_graph.h"
#include "debug_scope.h"
#include "function_choice.h"
#include "model/library_writes.h"
#include "object_names.h"
#include "site_skips.h"
#include "spin_loops.h"
#include "sync_names.h"
#include "unit_entries.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <map>
#include <set>
#include <tuple>

using namespace llvm;

namespace heddle::pass {
namespace {

/// One access of an instruction. A memcpy has two.
struct Access {
  SiteKind kind;
  const Value* address;
  uint64_t size; ///< 0: not a constant
};

uint64_t constantLength(const MemIntrinsic& intrinsic) {
  const auto* length = dyn_cast<ConstantInt>(intrinsic.getLength());
  return length ? length->getZExtValue() : 0;
}

std::vector<Access> rangeAccesses(const MemIntrinsic& intrinsic) {
  std::vector<Access> accesses;
  uint64_t size = constantLength(intrinsic);
  if (const auto* transfer = dyn_cast<MemTransferInst>(&intrinsic))
    accesses.push_back({SiteKind::RangeRead, transfer->getRawSource(), size});
  accesses.push_back({SiteKind::RangeWrite, intrinsic.getRawDest(), size});
  return accesses;
}

std::vector<Access> callAccesses(const CallBase& call) {
  const Function* callee = directCallee(call);
  const LibraryWrite* write = callee ? findLibraryWrite(callee->getName()) : nullptr;
  if (!write || call.arg_size() <= write->argument)
    return {};
  return {{SiteKind::RangeWrite, call.getArgOperand(write->argument), write->bytes}};
}

std::vector<Access> assemblyAccesses(const CallBase& call) {
  std::vector<Access> accesses;
  for (const AssemblyAccess& access : assemblyEffect(call).accesses)
    accesses.push_back({access.kind, access.address, access.size});
  return accesses;
}

std::vector<Access> accessesOf(const Instruction& instruction) {
  const DataLayout& layout = instruction.getDataLayout();
  auto sizeOf = [&](const Value* value) {
    return layout.getTypeStoreSize(value->getType()).getKnownMinValue();
  };
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return {{load->isAtomic() ? SiteKind::AtomicRead : SiteKind::Read, load->getPointerOperand(),
             sizeOf(load)}};
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return {{store->isAtomic() ? SiteKind::AtomicWrite : SiteKind::Write,
             store->getPointerOperand(), sizeOf(store->getValueOperand())}};
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return {{SiteKind::AtomicUpdate, update->getPointerOperand(), sizeOf(update->getValOperand())}};
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return {{SiteKind::AtomicUpdate, exchange->getPointerOperand(),
             sizeOf(exchange->getNewValOperand())}};
  if (const auto* range = dyn_cast<MemIntrinsic>(&instruction))
    return rangeAccesses(*range);
  if (const auto* call = dyn_cast<CallBase>(&instruction))
    return call->isInlineAsm() ? assemblyAccesses(*call) : callAccesses(*call);
  return {};
}

/// Fences, and assembly that nobody can read.
bool isBarrier(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || !call->isInlineAsm())
    return isa<FenceInst>(instruction);
  AssemblyEffect effect = assemblyEffect(*call);
  return effect.fence || effect.opaque;
}

// Not by isa<IntrinsicInst>: an intrinsic can also be invoked.
bool isSourceCall(const CallBase& call) {
  return call.getIntrinsicID() == Intrinsic::not_intrinsic && !call.isInlineAsm();
}

// One atomic operation whose memory order is an argument is a switch over copies of it. The block
// in which the outermost switch stands is what the copies have in common.
const BasicBlock* memoryOrderRoot(const Instruction& instruction) {
  const BasicBlock* block = instruction.getParent();
  while (const BasicBlock* predecessor = block->getUniquePredecessor()) {
    if (!isa<SwitchInst>(predecessor->getTerminator()))
      break;
    block = predecessor;
  }
  return block;
}

/// Whether the call may lead to code that has no hooks: a function that another unit has, or one
/// that only the run knows.
bool mayLeaveSeenCode(const CallBase& call, const Function* callee) {
  if (!callee)
    return true;
  return callee->isDeclarationForLinker() && !call.doesNotAccessMemory() &&
         !isHarmlessName(callee->getName());
}

/// Returning from main is a call of exit that nobody wrote: a wrong exit status has its place here.
bool isProgramEnd(const Instruction& instruction) {
  return isa<ReturnInst>(instruction) && instruction.getFunction()->getName() == "main";
}

class FunctionCollector {
public:
  FunctionCollector(Function& function, SiteSkips& skips, const ObjectNames& names)
      : function_(function), skips_(skips), names_(names) {}

  std::vector<Site> collect(const std::vector<SpinLoop>& spins,
                            const std::set<const Function*>& siteless) {
    siteless_ = &siteless;
    for (const SpinLoop& spin : spins)
      for (Instruction* backEdge : spin.backEdges)
        spinAt_[backEdge] = &spin;
    for (Instruction& instruction : instructions(function_))
      visit(instruction);
    return std::move(sites_);
  }

private:
  using GroupKey = std::tuple<SiteKind, const Value*, uint64_t, const BasicBlock*>;

  void visit(Instruction& instruction) {
    std::vector<Access> accesses = accessesOf(instruction);
    for (unsigned i = 0; i < accesses.size(); ++i)
      visitAccess(instruction, accesses[i], i);
    if (isBarrier(instruction))
      visitBarrier(instruction);
    if (auto* call = dyn_cast<CallBase>(&instruction); call && isSourceCall(*call))
      visitCall(*call);
    if (isProgramEnd(instruction))
      visitExit(instruction);
    if (auto found = spinAt_.find(&instruction); found != spinAt_.end())
      visitSpin(instruction, *found->second);
  }

  void visitAccess(Instruction& instruction, const Access& access, unsigned number) {
    if (skips_.isThreadPrivate(access.address) || skips_.isVtableAccess(instruction) ||
        skips_.isConstantMemory(access.address))
      return;
    if (isAtomic(access.kind) && !isAssembly(instruction)) {
      GroupKey key{access.kind, access.address, access.size, memoryOrderRoot(instruction)};
      auto [group, isNew] = groups_.try_emplace(key, sites_.size());
      if (!isNew) {
        sites_[group->second].instructions.push_back(&instruction);
        return;
      }
    }
    Site& site = add(instruction, access.kind);
    site.access = number;
    site.size = access.size > UINT32_MAX ? 0 : static_cast<uint32_t>(access.size);
    if (instruction.isVolatile())
      site.flags |= kSiteVolatile;
    if (isAssembly(instruction))
      site.flags |= kSiteAssembly;
    setObject(site, names_.ofAccess(instruction, access.address, access.size));
  }

  void visitBarrier(Instruction& instruction) {
    if (!isAssembly(instruction)) {
      add(instruction, SiteKind::Fence);
      return;
    }
    AssemblyEffect effect = assemblyEffect(cast<CallBase>(instruction));
    if (effect.fence)
      add(instruction, SiteKind::Fence).flags |= kSiteAssembly;
    if (effect.opaque)
      add(instruction, SiteKind::Call).flags |= kSiteAssembly | kSiteUnseen;
  }

  static bool isAssembly(const Instruction& instruction) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    return call && call->isInlineAsm();
  }

  void visitCall(CallBase& call) {
    const Function* callee = directCallee(call);
    if (siteless_->count(callee) && ownCallee(call))
      return;
    Site& site = add(call, SiteKind::Call);
    if (callee)
      site.callee = callee->getName().str();
    if (callee && callee->isDeclarationForLinker() && isSyncName(site.callee))
      site.flags |= call.use_empty() ? kSiteSync | kSiteResultUnused : kSiteSync;
    if ((site.flags & kSiteSync) == 0 && mayLeaveSeenCode(call, callee))
      site.flags |= kSiteUnseen;
    setObject(site, names_.ofCall(call));
  }

  void visitExit(Instruction& instruction) {
    Site& site = add(instruction, SiteKind::Call);
    site.callee = "exit";
    site.flags |= kSiteSync;
    // With destructors to run the return itself stands at the closing brace; what it returns was
    // computed where the source says so.
    const auto* status =
        dyn_cast_or_null<Instruction>(cast<ReturnInst>(instruction).getReturnValue());
    if (status && !isa<PHINode>(status) && status->getDebugLoc() && status->getDebugLoc().getLine())
      setPlace(site, *status);
  }

  void visitSpin(Instruction& backEdge, const SpinLoop& spin) {
    auto [group, isNew] = spinSites_.try_emplace(&spin, sites_.size());
    if (!isNew) {
      sites_[group->second].instructions.push_back(&backEdge);
      return;
    }
    Site& site = add(backEdge, SiteKind::Spin);
    setPlace(site, *spin.condition);
    setObject(site, names_.ofSpin(*spin.condition));
  }

  Site& add(Instruction& instruction, SiteKind kind) {
    Site& site = sites_.emplace_back();
    site.instructions.push_back(&instruction);
    site.kind = kind;
    setPlace(site, instruction);
    return site;
  }

  static void setPlace(Site& site, const Instruction& instruction) {
    SourcePlace place = sourcePlace(instruction);
    site.file = std::move(place.file);
    site.line = place.line;
    site.column = place.column;
    site.inlinedAt = std::move(place.inlinedAt);
    if (place.inLibrary)
      site.flags |= kSiteLibrary;
  }

  static void setObject(Site& site, ObjectName name) {
    site.object = std::move(name.text);
    site.offset = name.offset;
  }

  Function& function_;
  SiteSkips& skips_;
  const ObjectNames& names_;
  const std::set<const Function*>* siteless_ = nullptr;
  std::map<const Instruction*, const SpinLoop*> spinAt_;
  std::map<GroupKey, size_t> groups_;
  std::map<const SpinLoop*, size_t> spinSites_;
  std::vector<Site> sites_;
};

/// The functions below which nothing can happen that heddle would see: neither accesses nor calls
/// out of the module. Calls of them are no sites, and they need no clones.
std::set<const Function*> sitelessFunctions(Module& module, SiteSkips& skips,
                                            const SpinLoops& spins) {
  std::set<const Function*> siteless;
  auto hasSite = [&](Instruction& instruction) {
    if (isBarrier(instruction) || isProgramEnd(instruction))
      return true;
    for (const Access& access : accessesOf(instruction))
      if (!skips.isThreadPrivate(access.address) && !skips.isVtableAccess(instruction) &&
          !skips.isConstantMemory(access.address))
        return true;
    const auto* call = dyn_cast<CallBase>(&instruction);
    return call && isSourceCall(*call) && !siteless.count(ownCallee(*call));
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (Function& function : module) {
      if (function.isDeclarationForLinker() || siteless.count(&function) ||
          spins.count(&function) || any_of(instructions(function), hasSite))
        continue;
      changed = siteless.insert(&function).second || changed;
    }
  }
  return siteless;
}

} // namespace

ModuleSites collectSites(Module& module, FunctionAnalysisManager& analyses) {
  ModuleSites result;
  SiteSkips skips(module);
  ObjectNames names(module);
  SpinLoops spins = findSpinLoops(module, analyses);
  std::set<const Function*> siteless = sitelessFunctions(module, skips, spins);
  FunctionChoice choice(module);
  UnitEntries units(module);
  for (Function& function : module) {
    std::optional<Treatment> treatment = choice.treatment(function);
    if (!treatment || siteless.count(&function))
      continue;
    static const std::vector<SpinLoop> kNone;
    auto found = spins.find(&function);
    std::vector<Site> sites = FunctionCollector(function, skips, names)
                                  .collect(found == spins.end() ? kNone : found->second, siteless);
    if (sites.empty())
      continue;
    units.describeDeclarations(sites);
    std::vector<Site> entries = units.of(function);
    std::move(entries.begin(), entries.end(), std::back_inserter(sites));
    FunctionSites& entry = result.functions.emplace_back();
    entry.function = &function;
    entry.name = function.getName().str();
    entry.displayName = displayName(function);
    entry.treatment = *treatment;
    entry.firstSite = result.sites.size();
    entry.siteCount = sites.size();
    std::move(sites.begin(), sites.end(), std::back_inserter(result.sites));
  }
  return result;
}

} // namespace heddle::pass
