#include "static/program/openmp.h"
#include "static/program/openmp_code.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <map>

using namespace llvm;

namespace heddle::analysis {
namespace {

/// How a task depends on memory: libomp's kmp_depend_info.
struct Dependence {
  Value* base;
  bool writes; ///< out, inout, mutexinoutset
};
constexpr uint64_t kDependenceBytes = 24;
constexpr uint64_t kDependenceFlags = 16;

struct Task {
  CallInst* start;
  CallInst* allocation;
  Function* body;
  GlobalVariable* handles;
  SmallVector<Dependence, 2> dependences;
  bool loop = false; ///< taskloop: several tasks share its iterations
};

/// A place that waits for tasks.
struct Wait {
  Instruction* at;
  SetVector<GlobalVariable*> handles;
};

class Tasks {
public:
  explicit Tasks(const OpenMpCode& code) : code_(code) {}

  void lower() {
    for (StringRef name :
         {"__kmpc_omp_task", "__kmpc_omp_task_with_deps", "__kmpc_taskloop", "__kmpc_taskloop_5"})
      for (CallInst* call : callsOf(code_.module(), name))
        addTask(*call);
    if (tasks_.empty())
      return;
    findWaits();
    for (Task& task : tasks_)
      start(task);
    for (Wait& wait : waits_)
      waitAt(wait);
    for (CallInst* call : callsOf(code_.module(), "__kmpc_omp_task_alloc"))
      allocate(*call);
  }

private:
  // --- what there is

  void addTask(CallInst& call) {
    auto* allocation = dyn_cast<CallInst>(call.getArgOperand(2)->stripPointerCasts());
    auto* body = allocation && allocation->arg_size() > 5
                     ? dyn_cast<Function>(allocation->getArgOperand(5)->stripPointerCasts())
                     : nullptr;
    if (!body || body->isDeclaration() || body->arg_size() != 2)
      return;
    Task task{&call, allocation, body, code_.newHandles(), {}};
    StringRef name = call.getCalledFunction()->getName();
    task.loop = name.starts_with("__kmpc_taskloop");
    if (name == "__kmpc_omp_task_with_deps" && hasSiblingsOnly(call))
      task.dependences = dependencesAt(call, 4);
    tasks_.push_back(task);
  }

  /// Dependences order the tasks of one parent. Whether several threads, or several tasks, execute
  /// the place is not known of tasks in tasks, and of regions without single or master.
  static bool hasSiblingsOnly(CallInst& call) {
    Function& function = *call.getFunction();
    if (!function.getName().contains("omp_outlined"))
      return true;
    DominatorTree order(function);
    return any_of(instructions(function), [&](Instruction& each) {
      auto* other = dyn_cast<CallInst>(&each);
      const Function* callee = other ? other->getCalledFunction() : nullptr;
      return callee &&
             (callee->getName() == "__kmpc_single" || callee->getName() == "__kmpc_master" ||
              callee->getName() == "__kmpc_masked") &&
             order.dominates(other, &call);
    });
  }

  /// What is stored into the array of dependences before the call.
  SmallVector<Dependence, 2> dependencesAt(CallInst& call, unsigned argument) const {
    const DataLayout& layout = code_.module().getDataLayout();
    std::map<uint64_t, Dependence> found;
    auto offsetIn = [&](Value* address, APInt& offset) {
      return address->stripAndAccumulateConstantOffsets(layout, offset, true);
    };
    APInt start(64, 0);
    Value* array = offsetIn(call.getArgOperand(argument), start);
    for (Instruction* at = call.getPrevNode(); at; at = at->getPrevNode()) {
      auto* store = dyn_cast<StoreInst>(at);
      APInt offset(64, 0);
      if (!store || offsetIn(store->getPointerOperand(), offset) != array)
        continue;
      uint64_t bytes = offset.getZExtValue();
      Dependence& each = found.try_emplace(bytes / kDependenceBytes).first->second;
      if (bytes % kDependenceBytes == 0 && !each.base)
        each.base = addressIn(store->getValueOperand());
      if (auto* flags = dyn_cast<ConstantInt>(store->getValueOperand());
          flags && bytes % kDependenceBytes == kDependenceFlags)
        each.writes = (flags->getZExtValue() & 6) != 0;
    }
    SmallVector<Dependence, 2> all;
    for (auto& [number, each] : found)
      if (each.base)
        all.push_back(each);
    return all;
  }

  static Value* addressIn(Value* number) {
    if (auto* cast = dyn_cast<PtrToIntOperator>(number))
      return cast->getPointerOperand();
    return nullptr;
  }

  // --- who waits for whom

  /// Tasks that the functions start themselves, or by calls; with those that the tasks start.
  SetVector<GlobalVariable*> startedBy(SetVector<Function*> functions, bool descendants) const {
    SetVector<GlobalVariable*> handles;
    for (unsigned i = 0; i < functions.size(); ++i) {
      for (const Task& task : tasks_)
        if (task.start->getFunction() == functions[i]) {
          handles.insert(task.handles);
          if (descendants)
            functions.insert(task.body);
        }
      for (Instruction& instruction : instructions(*functions[i]))
        if (auto* call = dyn_cast<CallBase>(&instruction))
          if (Function* callee = call->getCalledFunction(); callee && !callee->isDeclaration())
            functions.insert(callee);
    }
    return handles;
  }

  void findWaits() {
    for (CallInst* call : callsOf(code_.module(), "__kmpc_omp_taskwait")) {
      SetVector<Function*> function;
      function.insert(call->getFunction());
      waits_.push_back({call, startedBy(function, false)});
    }
    for (StringRef name : {"__kmpc_omp_wait_deps", "__kmpc_omp_taskwait_deps_51"})
      for (CallInst* call : callsOf(code_.module(), name))
        waits_.push_back({call, dependedOn(*call)});
    for (CallInst* call : callsOf(code_.module(), "__kmpc_end_taskgroup"))
      waits_.push_back({call, startedInGroup(*call)});
    SetVector<GlobalVariable*> all;
    for (const Task& task : tasks_)
      all.insert(task.handles);
    for (Function& function : code_.module())
      for (Instruction& instruction : instructions(function))
        if (isTeamBarrier(instruction) || (isa<ReturnInst>(instruction) && isRegion(function)))
          waits_.push_back({&instruction, all});
  }

  /// Whether the function is a parallel region: all tasks are done at its end.
  static bool isRegion(const Function& function) {
    return any_of(function.users(), [](const User* user) {
      auto* call = dyn_cast<CallInst>(user);
      const Function* callee = call ? call->getCalledFunction() : nullptr;
      return callee && callee->getName().starts_with("__kmpc_fork_");
    });
  }

  SetVector<GlobalVariable*> dependedOn(CallInst& wait) const {
    SetVector<GlobalVariable*> handles;
    for (const Dependence& wanted : dependencesAt(wait, 3))
      for (const Task& task : tasks_)
        for (const Dependence& each : task.dependences)
          if (task.start->getFunction() == wait.getFunction() && each.base == wanted.base &&
              (each.writes || wanted.writes))
            handles.insert(task.handles);
    return handles;
  }

  /// Everything that is started between the group's beginning and its end.
  SetVector<GlobalVariable*> startedInGroup(CallInst& end) const {
    Function& function = *end.getFunction();
    DominatorTree order(function);
    CallInst* begin = nullptr;
    for (CallInst* call : callsOf(code_.module(), "__kmpc_taskgroup"))
      if (call->getFunction() == &function && order.dominates(call, &end) &&
          (!begin || order.dominates(begin, call)))
        begin = call;
    SetVector<GlobalVariable*> handles;
    SetVector<Function*> called;
    for (Instruction& instruction : instructions(function)) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (!begin || !call || !order.dominates(begin, call) || order.dominates(&end, call))
        continue;
      for (const Task& task : tasks_)
        if (task.start == call) {
          handles.insert(task.handles);
          called.insert(task.body);
        }
      if (Function* callee = call->getCalledFunction(); callee && !callee->isDeclaration())
        called.insert(callee);
    }
    for (GlobalVariable* each : startedBy(called, true))
      handles.insert(each);
    return handles;
  }

  // --- code

  void start(Task& task) {
    IRBuilder<> builder(task.start);
    Value* argument = task.start->getArgOperand(2);
    Function* entry = task.loop ? loopEntry(task) : taskEntry(task, builder, argument);
    if (task.loop) {
      code_.loop(*task.start, [&](IRBuilder<>& round, Value* index) {
        code_.create(round, code_.element(round, task.handles, index), *entry, argument);
      });
    } else {
      Type* number = builder.getInt64Ty();
      Value* any = builder.CreateLoad(number, code_.local(*task.start->getFunction(), number));
      code_.create(builder, code_.element(builder, task.handles, any), *entry, argument);
    }
    if (!task.start->getType()->isVoidTy())
      task.start->replaceAllUsesWith(Constant::getNullValue(task.start->getType()));
    task.start->eraseFromParent();
  }

  /// The tasks of a loop have a copy each of what was made for the first.
  Function* loopEntry(const Task& task) {
    Function* entry = code_.newEntry(*task.body, kTaskLoopEntry);
    IRBuilder<> builder(BasicBlock::Create(code_.context(), "", entry));
    Value* bytes = task.allocation->getArgOperand(3);
    Value* size = isa<Constant>(bytes) ? bytes : builder.getInt64(256);
    Value* own = code_.block(builder, size);
    builder.CreateMemCpy(own, Align(8), entry->getArg(0), Align(8), size);
    builder.CreateCall(task.body, {builder.getInt32(0), own});
    builder.CreateRet(ConstantPointerNull::get(code_.pointer()));
    return entry;
  }

  /// A task holds what it depends on as long as it runs.
  Function* taskEntry(const Task& task, IRBuilder<>& at, Value*& argument) {
    SmallVector<Type*, 4> types(task.dependences.size() + 1, code_.pointer());
    auto* type = StructType::get(code_.context(), types);
    if (!task.dependences.empty()) {
      Value* whole = code_.block(at, at.getInt64(types.size() * 8));
      at.CreateStore(argument, at.CreateStructGEP(type, whole, 0));
      for (unsigned i = 0; i < task.dependences.size(); ++i)
        at.CreateStore(task.dependences[i].base, at.CreateStructGEP(type, whole, i + 1));
      argument = whole;
    }
    Function* entry = code_.newEntry(*task.body, kTaskEntry);
    IRBuilder<> builder(BasicBlock::Create(code_.context(), "", entry));
    Instruction* end = builder.CreateRet(ConstantPointerNull::get(code_.pointer()));
    builder.SetInsertPoint(end);
    auto load = [&](unsigned i) -> Value* {
      return builder.CreateLoad(code_.pointer(),
                                builder.CreateStructGEP(type, entry->getArg(0), i));
    };
    for (unsigned i = 0; i < task.dependences.size(); ++i)
      code_.lock(*end, load(i + 1), !task.dependences[i].writes);
    Value* memory = task.dependences.empty() ? entry->getArg(0) : load(0);
    builder.CreateCall(task.body, {builder.getInt32(0), memory});
    return entry;
  }

  void waitAt(const Wait& wait) {
    if (wait.handles.empty())
      return;
    code_.loop(*wait.at, [&](IRBuilder<>& round, Value* index) {
      for (GlobalVariable* handles : wait.handles)
        code_.join(round, code_.element(round, handles, index));
    });
  }

  /// A task's memory, which begins with the address of what it shares.
  void allocate(CallInst& call) {
    IRBuilder<> builder(&call);
    Value* task = code_.block(builder, call.getArgOperand(3));
    builder.CreateStore(code_.block(builder, call.getArgOperand(4)), task);
    call.replaceAllUsesWith(task);
    call.eraseFromParent();
  }

  const OpenMpCode& code_;
  std::vector<Task> tasks_;
  std::vector<Wait> waits_;
};

} // namespace

void lowerTasks(const OpenMpCode& code) { Tasks(code).lower(); }

} // namespace heddle::analysis
