#include "static/program/openmp_code.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr uint64_t kHandles = 64;

} // namespace

FunctionCallee OpenMpCode::function(StringRef name, Type* result,
                                    ArrayRef<Type*> parameters) const {
  return module_.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
}

void OpenMpCode::lock(Instruction& before, Value* lock, bool shared) const {
  IRBuilder<> builder(&before);
  Type* number = builder.getInt32Ty();
  builder.CreateCall(
      function(shared ? "pthread_rwlock_rdlock" : "pthread_mutex_lock", number, {pointer()}),
      {lock});
}

void OpenMpCode::unlock(Instruction& before, Value* lock) const {
  IRBuilder<> builder(&before);
  builder.CreateCall(function("pthread_mutex_unlock", builder.getInt32Ty(), {pointer()}), {lock});
}

Value* OpenMpCode::tryLock(Instruction& before, Value* lock) const {
  IRBuilder<> builder(&before);
  Type* number = builder.getInt32Ty();
  Value* failed =
      builder.CreateCall(function("pthread_mutex_trylock", number, {pointer()}), {lock});
  return builder.CreateZExt(builder.CreateICmpEQ(failed, ConstantInt::get(number, 0)), number);
}

void OpenMpCode::create(IRBuilder<>& builder, Value* handle, Function& entry,
                        Value* argument) const {
  builder.CreateCall(function("pthread_create", builder.getInt32Ty(),
                              {pointer(), pointer(), pointer(), pointer()}),
                     {handle, ConstantPointerNull::get(pointer()), &entry, argument});
}

void OpenMpCode::join(IRBuilder<>& builder, Value* handle) const {
  Type* number = builder.getInt64Ty();
  builder.CreateCall(function("pthread_join", builder.getInt32Ty(), {number, pointer()}),
                     {builder.CreateLoad(number, handle), ConstantPointerNull::get(pointer())});
}

CallInst* OpenMpCode::block(IRBuilder<>& builder, Value* bytes) const {
  return builder.CreateCall(function(kTaskBlock, pointer(), {builder.getInt64Ty()}), {bytes});
}

GlobalVariable* OpenMpCode::newLock(const Twine& name) const {
  Type* type = ArrayType::get(Type::getInt64Ty(context()), 5); // as large as a mutex
  return new GlobalVariable(module_, type, false, GlobalValue::InternalLinkage,
                            Constant::getNullValue(type), name);
}

GlobalVariable* OpenMpCode::newHandles() const {
  Type* type = ArrayType::get(Type::getInt64Ty(context()), kHandles);
  return new GlobalVariable(module_, type, false, GlobalValue::InternalLinkage,
                            Constant::getNullValue(type), "omp_tasks");
}

Value* OpenMpCode::element(IRBuilder<>& builder, Value* handles, Value* index) const {
  return builder.CreateInBoundsGEP(ArrayType::get(builder.getInt64Ty(), kHandles), handles,
                                   {builder.getInt64(0), index});
}

Function* OpenMpCode::newEntry(const Function& body, StringRef kind) const {
  auto* type = FunctionType::get(pointer(), {pointer()}, false);
  auto* entry =
      Function::Create(type, GlobalValue::InternalLinkage, body.getName() + ".thread", module_);
  entry->addFnAttr(kind);
  return entry;
}

AllocaInst* OpenMpCode::local(Function& function, Type* type) const {
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
  return builder.CreateAlloca(type);
}

void OpenMpCode::loop(Instruction& before,
                      function_ref<void(IRBuilder<>&, Value* index)> body) const {
  BasicBlock* head = before.getParent();
  AllocaInst* again = local(*head->getParent(), Type::getInt1Ty(context()));
  BasicBlock* rest = head->splitBasicBlock(before.getIterator());
  BasicBlock* round = BasicBlock::Create(context(), "", head->getParent(), rest);
  head->getTerminator()->setSuccessor(0, round);
  IRBuilder<> builder(round);
  builder.SetCurrentDebugLocation(before.getDebugLoc());
  PHINode* index = builder.CreatePHI(builder.getInt64Ty(), 2);
  body(builder, index);
  index->addIncoming(builder.getInt64(0), head);
  index->addIncoming(builder.CreateAdd(index, builder.getInt64(1)), round);
  builder.CreateCondBr(builder.CreateLoad(builder.getInt1Ty(), again), round, rest);
}

SmallVector<CallInst*, 8> callsOf(Module& module, StringRef name) {
  SmallVector<CallInst*, 8> calls;
  Function* function = module.getFunction(name);
  if (!function || !function->isDeclaration())
    return calls;
  for (User* user : function->users())
    if (auto* call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == function)
      calls.push_back(call);
  return calls;
}

} // namespace heddle::analysis
