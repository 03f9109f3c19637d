#include "static/program/openmp.h"

#include "static/program/openmp_code.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

#include <map>

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr StringLiteral kSingle = "omp_single";
constexpr StringLiteral kMaster = "omp_master";
constexpr StringLiteral kLowered = "heddle.omp"; // a module that was rewritten

bool hasCode(const Function* function) { return function && !function->isDeclaration(); }

/// Rewrites teams and what only some of their threads do.
class Teams {
public:
  explicit Teams(const OpenMpCode& code) : code_(code) {}

  void lower() {
    for (StringRef name : {"__kmpc_single"})
      for (CallInst* call : callsOf(code_.module(), name))
        lowerSingle(*call);
    for (StringRef name : {"__kmpc_master", "__kmpc_masked"})
      for (CallInst* call : callsOf(code_.module(), name))
        chooseThread(*call, regionLock(kMaster, *call->getFunction()));
    for (StringRef name : {"__kmpc_end_master", "__kmpc_end_masked"})
      unlockAt(name, kMaster);
    lockBetween("__kmpc_ordered", "__kmpc_end_ordered", "omp_ordered");
    lockBetween("__kmpc_doacross_wait", "__kmpc_doacross_post", "omp_doacross");
    for (StringRef name : {"__kmpc_reduce", "__kmpc_reduce_nowait"})
      for (CallInst* call : callsOf(code_.module(), name))
        lowerReduction(*call);
    for (StringRef name : {"omp_test_lock", "omp_test_nest_lock"})
      for (CallInst* call : callsOf(code_.module(), name))
        replace(*call, code_.tryLock(*call, call->getArgOperand(0)));
    for (StringRef type : {"4", "4u", "8", "8u"}) {
      for (CallInst* call : callsOf(code_.module(), ("__kmpc_for_static_init_" + type).str()))
        lockLast(*call->getArgOperand(3), *call->getFunction());
      for (CallInst* call : callsOf(code_.module(), ("__kmpc_dispatch_next_" + type).str()))
        lockLast(*call->getArgOperand(2), *call->getFunction());
    }
    for (CallInst* call : callsOf(code_.module(), "__kmpc_for_static_init_4"))
      lowerSections(*call);
    for (StringRef name : {"__kmpc_fork_call", "__kmpc_fork_teams", "__kmpc_fork_call_if"})
      for (CallInst* call : callsOf(code_.module(), name))
        lowerFork(*call);
  }

private:
  static void replace(CallInst& call, Value* by) {
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(by);
    call.eraseFromParent();
  }

  /// One lock for all regions of a kind in a function.
  GlobalVariable* regionLock(StringRef name, const Function& function) {
    GlobalVariable*& lock = locks_[{name, &function}];
    return lock ? lock : lock = code_.newLock(name);
  }

  void chooseThread(CallInst& call, GlobalVariable* lock) {
    replace(call, code_.tryLock(call, lock));
  }

  /// Each single region has one thread at a time, unless a thread can come to it again while the
  /// one that executes it has not left it.
  void lowerSingle(CallInst& call) {
    if (comesAgain(call))
      return;
    GlobalVariable* lock = code_.newLock(kSingle);
    for (CallInst* end : callsOf(code_.module(), "__kmpc_end_single"))
      if (end->getFunction() == call.getFunction())
        code_.unlock(*end, lock);
    chooseThread(call, lock);
  }

  void unlockAt(StringRef name, StringRef kind) {
    for (CallInst* call : callsOf(code_.module(), name))
      code_.unlock(*call, regionLock(kind, *call->getFunction()));
  }

  void lockBetween(StringRef begin, StringRef end, StringRef kind) {
    for (CallInst* call : callsOf(code_.module(), begin))
      code_.lock(*call->getNextNode(), regionLock(kind, *call->getFunction()));
    unlockAt(end, kind);
  }

  /// The threads' results are put together by one after the other, or by atomic operations of which
  /// the library makes sure that they do not meet the others.
  void lowerReduction(CallInst& call) {
    GlobalVariable* lock = regionLock("omp_reduction", *call.getFunction());
    code_.lock(*call.getNextNode(), lock);
    for (User* user : call.users())
      if (auto* choice = dyn_cast<SwitchInst>(user))
        code_.unlock(*choice->getDefaultDest()->getFirstInsertionPt(), lock);
  }

  /// One thread has the last iteration, whose values are copied back.
  void lockLast(Value& isLast, const Function& function) {
    for (User* user : isLast.users())
      if (auto* load = dyn_cast<LoadInst>(user))
        for (User* test : load->users())
          if (auto* compare = dyn_cast<ICmpInst>(test))
            for (User* end : compare->users())
              if (auto* branch = dyn_cast<BranchInst>(end);
                  branch && compare->getPredicate() == ICmpInst::ICMP_NE)
                code_.lock(*branch->getSuccessor(0)->getFirstInsertionPt(),
                           regionLock("omp_last", function));
  }

  /// A loop over the numbers of sections: each of them is executed by one thread.
  void lowerSections(CallInst& init) {
    for (BasicBlock& block : *init.getFunction()) {
      auto* choice = dyn_cast<SwitchInst>(block.getTerminator());
      auto* number = choice ? dyn_cast<PHINode>(choice->getCondition()) : nullptr;
      if (!number || !startsFrom(*number, init.getArgOperand(4)))
        continue;
      Instruction& after = *choice->getDefaultDest()->getFirstInsertionPt();
      for (auto section : choice->cases()) {
        GlobalVariable* lock = code_.newLock("omp_section");
        code_.lock(*section.getCaseSuccessor()->getFirstInsertionPt(), lock);
        code_.unlock(after, lock);
      }
    }
  }

  static bool startsFrom(const PHINode& phi, const Value* variable) {
    return any_of(phi.incoming_values(), [&](const Value* value) {
      auto* load = dyn_cast<LoadInst>(value);
      return load && load->getPointerOperand() == variable;
    });
  }

  /// Whether the team has one thread: num_threads(1).
  static bool isAlone(const CallInst& call) {
    for (const Instruction* at = call.getPrevNode(); at; at = at->getPrevNode()) {
      auto* before = dyn_cast<CallInst>(at);
      const Function* callee = before ? before->getCalledFunction() : nullptr;
      if (!callee || !callee->getName().starts_with("__kmpc_"))
        continue;
      auto* count = callee->getName() == "__kmpc_push_num_threads"
                        ? dyn_cast<ConstantInt>(before->getArgOperand(2))
                        : nullptr;
      return count && count->isOne();
    }
    return false;
  }

  void lowerFork(CallInst& call) {
    auto* body = dyn_cast<Function>(call.getArgOperand(2)->stripPointerCasts());
    unsigned first = call.getCalledFunction()->getName() == "__kmpc_fork_call_if" ? 4 : 3;
    if (!hasCode(body) || body->arg_size() != call.arg_size() - first + 2)
      return;
    SmallVector<Value*, 8> arguments(drop_begin(call.args(), first));
    if (isAlone(call)) {
      IRBuilder<> builder(&call);
      arguments.insert(arguments.begin(), 2, threadNumber());
      builder.CreateCall(body, arguments);
    } else {
      startTeam(call, *body, arguments);
    }
    call.eraseFromParent();
  }

  /// What outlined functions read their thread's number from.
  GlobalVariable* threadNumber() {
    return number_ ? number_ : number_ = code_.newLock("omp_thread_number");
  }

  void startTeam(CallInst& call, Function& body, ArrayRef<Value*> arguments) {
    SmallVector<Type*, 8> types;
    for (Value* argument : arguments)
      types.push_back(argument->getType());
    auto* type = StructType::get(code_.context(), types);
    AllocaInst* shared = code_.local(*call.getFunction(), type);
    IRBuilder<> builder(&call);
    for (unsigned i = 0; i < arguments.size(); ++i)
      builder.CreateStore(arguments[i], builder.CreateStructGEP(type, shared, i));
    Function* entry = teamEntry(body, type);
    Type* handles = ArrayType::get(builder.getInt64Ty(), 64);
    AllocaInst* all = code_.local(*call.getFunction(), handles);
    code_.loop(call, [&](IRBuilder<>& round, Value* index) {
      code_.create(round, code_.element(round, all, index), *entry, shared);
    });
    code_.loop(call, [&](IRBuilder<>& round, Value* index) {
      code_.join(round, code_.element(round, all, index));
    });
  }

  Function* teamEntry(Function& body, StructType* type) {
    Function* entry = code_.newEntry(body, kTeamEntry);
    IRBuilder<> builder(BasicBlock::Create(code_.context(), "", entry));
    SmallVector<Value*, 8> arguments(2, threadNumber());
    for (unsigned i = 0; i < type->getNumElements(); ++i)
      arguments.push_back(builder.CreateLoad(type->getElementType(i),
                                             builder.CreateStructGEP(type, entry->getArg(0), i)));
    builder.CreateCall(&body, arguments);
    builder.CreateRet(ConstantPointerNull::get(code_.pointer()));
    return entry;
  }

  const OpenMpCode& code_;
  std::map<std::pair<StringRef, const Function*>, GlobalVariable*> locks_;
  GlobalVariable* number_ = nullptr;
};

} // namespace

void lowerOpenMp(Module& module) {
  bool used = any_of(module, [](const Function& function) {
    return function.isDeclaration() && function.getName().starts_with("__kmpc_");
  });
  if (!used || module.getNamedMetadata(kLowered))
    return;
  module.getOrInsertNamedMetadata(kLowered);
  OpenMpCode code(module);
  lowerTasks(code); // while regions are as clang has made them
  Teams(code).lower();
}

bool isTeamEntry(const Function& function) { return function.hasFnAttribute(kTeamEntry); }

bool isTaskEntry(const Function& function) {
  return function.hasFnAttribute(kTaskEntry) || isTaskLoopEntry(function);
}

bool isTaskLoopEntry(const Function& function) { return function.hasFnAttribute(kTaskLoopEntry); }

bool isTeamBarrier(const Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return false;
  StringRef name = callee->getName();
  return name == "__kmpc_barrier" || name == "__kmpc_cancel_barrier" ||
         name == "__kmpc_copyprivate" || name == "__kmpc_end_reduce";
}

bool comesAgain(const Instruction& start) {
  SmallPtrSet<const BasicBlock*, 16> seen;
  SmallVector<const Instruction*, 8> open{start.getNextNode()};
  while (!open.empty()) {
    const Instruction* at = open.pop_back_val();
    for (; at && at != &start && !isTeamBarrier(*at); at = at->getNextNode())
      if (at->isTerminator())
        for (const BasicBlock* next : successors(at))
          if (seen.insert(next).second)
            open.push_back(&next->front());
    if (at == &start)
      return true;
  }
  return false;
}

bool isOneThreadRegion(const Value& variable) {
  return isa<GlobalVariable>(variable) &&
         (variable.getName().starts_with(kSingle) || variable.getName().starts_with(kMaster));
}

bool isTaskBlock(const Value& value) {
  auto* call = dyn_cast<CallInst>(&value);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == kTaskBlock;
}

/// Whether the caller only hands its arguments on to the function that has the code.
static bool passesOn(const Function& entry, const Function& caller, const Function& callee) {
  if (&caller == &entry)
    return true;
  if (caller.getName().contains("omp_task_entry"))
    return callee.getName().contains("omp_outlined");
  return callee.getName().contains("omp_outlined_debug__") &&
         !caller.getName().contains("omp_outlined_debug__");
}

const Function* regionOf(const Function& entry) {
  const Function* region = nullptr;
  for (const Function* at = &entry; at;) {
    const Function* next = nullptr;
    for (const Instruction& instruction : instructions(*at))
      if (auto* call = dyn_cast<CallInst>(&instruction))
        if (const Function* callee = call->getCalledFunction();
            hasCode(callee) && passesOn(entry, *at, *callee))
          next = callee;
    at = next;
    if (next)
      region = next;
  }
  return region;
}

bool isOutlining(const Function& function) {
  StringRef name = function.getName();
  if (isTeamEntry(function) || isTaskEntry(function) || name.starts_with(".omp_task_entry"))
    return true;
  return name.contains(".omp_outlined") &&
         any_of(instructions(function), [&](const Instruction& at) {
           auto* call = dyn_cast<CallInst>(&at);
           const Function* callee = call ? call->getCalledFunction() : nullptr;
           return hasCode(callee) && !name.contains("omp_outlined_debug__") &&
                  callee->getName().contains("omp_outlined_debug__");
         });
}

StringRef withoutOutlining(StringRef name) {
  size_t end = name.find(".omp_outlined");
  return end == StringRef::npos || end == 0 ? name : name.take_front(end);
}

} // namespace heddle::analysis
