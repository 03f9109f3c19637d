#include "seed_recording.h"

#include "debug_scope.h"
#include "seed_tables.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <cstdlib>

using namespace llvm;

namespace heddle::pass {
namespace {

enum AccessFlags : uint32_t { kWrite = 1, kAtomic = 2, kPointer = 4 };
constexpr uint32_t kResultIndex = 0xffff;

/// Puts the hooks into one unit.
class Recorder {
public:
  Recorder(Module& module, std::vector<std::string> own)
      : module_(module), context_(module.getContext()), tables_(module, std::move(own)),
        void_(Type::getVoidTy(context_)), i32_(Type::getInt32Ty(context_)),
        i64_(Type::getInt64Ty(context_)), pointer_(PointerType::getUnqual(context_)) {}

  void run() {
    std::vector<Function*> functions;
    for (Function& function : module_)
      if (!function.isDeclaration() && function.getSubprogram() &&
          !function.hasAvailableExternallyLinkage() && !function.hasFnAttribute(Attribute::Naked))
        functions.push_back(&function);
    for (Function* function : functions)
      instrument(*function);
    tables_.addUnit(module_);
    tables_.addDeclaredMethods(module_);
    addConstructor();
  }

private:
  FunctionCallee hook(StringRef name, Type* result, ArrayRef<Type*> arguments) {
    return module_.getOrInsertFunction(name, FunctionType::get(result, arguments, false));
  }
  Value* number(uint64_t value) { return ConstantInt::get(i64_, value); }
  Value* small(uint32_t value) { return ConstantInt::get(i32_, value); }

  Constant* text(const std::string& value) {
    auto [found, isNew] = texts_.try_emplace(value, nullptr);
    if (isNew) {
      Constant* data = ConstantDataArray::getString(context_, value);
      auto* global = new GlobalVariable(module_, data->getType(), true, GlobalValue::PrivateLinkage,
                                        data, "heddle.seed");
      found->second = global;
    }
    return found->second;
  }

  void instrument(Function& function) {
    Zone zone = tables_.zoneOf(function.getSubprogram());
    std::vector<Instruction*> originals;
    for (Instruction& one : instructions(function))
      originals.push_back(&one);
    Value* depth = zone == Zone::System ? nullptr : enter(function, zone);
    for (Instruction* one : originals)
      instrument(*one, zone, depth);
  }

  static std::string testName(const DISubprogram& test) {
    if (test.getName() != "TestBody")
      return test.getName().str();
    return qualifiedName(test.getScope()); // the class that TEST makes
  }

  Value* enter(Function& function, Zone zone) {
    Instruction* first = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    IRBuilder<> builder(first);
    builder.SetCurrentDebugLocation(DILocation::get(context_, 0, 0, function.getSubprogram()));
    const DISubprogram* subprogram = function.getSubprogram();
    if (zone == Zone::Client && SeedZones::isTest(*subprogram))
      builder.CreateCall(hook("__heddle_seed_test", void_, {pointer_}),
                         {text(testName(*subprogram))});
    Value* self = Constant::getNullValue(pointer_);
    if (zone == Zone::Container && !function.arg_empty())
      self = function.getArg(function.hasStructRetAttr() ? 1 : 0);
    if (!self->getType()->isPointerTy())
      self = Constant::getNullValue(pointer_);
    uint64_t method = zone == Zone::Library ? tables_.method(subprogram) : 0;
    Value* depth = builder.CreateCall(hook("__heddle_seed_enter", i32_, {i64_, i32_, pointer_}),
                                      {number(method), small(static_cast<uint32_t>(zone)), self});
    if (zone == Zone::Library)
      tellArguments(function, builder);
    return depth;
  }

  /// The arguments of the function that carry each of the declared ones, after the place of the
  /// result: a small class that is trivial to copy comes in registers, in up to two.
  void tellArguments(Function& function, IRBuilder<>& builder) {
    std::vector<SeedParameter> parameters = tables_.parameters(function.getSubprogram());
    size_t next = function.hasStructRetAttr() ? 1 : 0;
    size_t needed = next;
    for (size_t i = 1; i < parameters.size(); ++i)
      needed += parameters[i].registers;
    bool matches = function.arg_size() == needed;
    bool hasThis = takesThis(function.getSubprogram());
    for (size_t i = 1; i < parameters.size(); ++i) {
      const SeedParameter& parameter = parameters[i];
      bool isKnown = (matches && parameter.registers > 0) || (i == 1 && hasThis);
      Value* argument = isKnown ? function.getArg(static_cast<unsigned>(next)) : nullptr;
      if (isKnown && parameter.kind == SeedValue::String && parameter.registers == 2)
        argument = viewed(builder, argument, function.getArg(static_cast<unsigned>(next + 1)));
      tell(builder, static_cast<uint32_t>(i - (hasThis ? 1 : 0)), parameter, argument);
      next += parameter.registers;
    }
  }

  /// A std::string_view as a std::string begins: data, then size.
  Value* viewed(IRBuilder<>& builder, Value* size, Value* data) {
    if (!size->getType()->isIntegerTy(64) || !data->getType()->isPointerTy())
      return nullptr;
    Value* words = builder.CreateAlloca(ArrayType::get(i64_, 2));
    builder.CreateStore(data, words);
    builder.CreateStore(size, builder.CreateConstInBoundsGEP1_64(i64_, words, 1));
    return words;
  }

  static bool takesThis(const DISubprogram* subprogram) {
    DITypeRefArray types = subprogram->getType()->getTypeArray();
    return types.size() > 1 && types[1] && (types[1]->getFlags() & DINode::FlagArtificial);
  }

  void tell(IRBuilder<>& builder, uint32_t index, const SeedParameter& parameter, Value* value) {
    SeedValue kind = parameter.kind;
    Value* bits = value ? bitsOf(builder, parameter, value) : nullptr;
    if (!bits) {
      kind = SeedValue::Opaque;
      bits = number(0);
    }
    uint64_t type = parameter.object ? parameter.object : parameter.type;
    builder.CreateCall(hook("__heddle_seed_value", void_, {i32_, i32_, i64_, i64_}),
                       {small(index), small(static_cast<uint32_t>(kind)), number(type), bits});
  }

  Value* bitsOf(IRBuilder<>& builder, const SeedParameter& parameter, Value* value) {
    if (parameter.isLoaded && value->getType()->isPointerTy()) {
      Type* type =
          parameter.kind == SeedValue::Float
              ? (parameter.size == 4 ? Type::getFloatTy(context_) : Type::getDoubleTy(context_))
              : static_cast<Type*>(
                    Type::getIntNTy(context_, static_cast<unsigned>(parameter.size * 8)));
      value = builder.CreateLoad(type, value);
    }
    switch (parameter.kind) {
    case SeedValue::Opaque:
      return nullptr;
    case SeedValue::Float:
      if (!value->getType()->isFloatTy() && !value->getType()->isDoubleTy())
        return nullptr;
      return builder.CreateBitCast(builder.CreateFPExt(value, Type::getDoubleTy(context_)), i64_);
    case SeedValue::Bool:
    case SeedValue::Integer:
    case SeedValue::Enum:
      if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64)
        return nullptr;
      return builder.CreateIntCast(value, i64_, parameter.isSigned);
    case SeedValue::String:
    case SeedValue::CString:
    case SeedValue::Object:
    case SeedValue::SmartPointer:
      return value->getType()->isPointerTy() ? builder.CreatePtrToInt(value, i64_) : nullptr;
    }
    return nullptr;
  }

  void instrument(Instruction& one, Zone zone, Value* depth) {
    if (auto* load = dyn_cast<LoadInst>(&one))
      return access(one, load->getPointerOperand(), load->getType(), load,
                    load->isAtomic() ? kAtomic : 0, zone);
    if (auto* store = dyn_cast<StoreInst>(&one))
      return access(one, store->getPointerOperand(), store->getValueOperand()->getType(),
                    store->getValueOperand(), kWrite | (store->isAtomic() ? kAtomic : 0), zone);
    if (auto* update = dyn_cast<AtomicRMWInst>(&one))
      return access(one, update->getPointerOperand(), update->getType(), nullptr, kWrite | kAtomic,
                    zone);
    if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&one))
      return access(one, exchange->getPointerOperand(), exchange->getCompareOperand()->getType(),
                    nullptr, kWrite | kAtomic, zone);
    if (auto* copy = dyn_cast<MemTransferInst>(&one))
      return copied(*copy, zone);
    if (auto* call = dyn_cast<CallBase>(&one))
      return called(*call, zone);
    if (auto* pad = dyn_cast<LandingPadInst>(&one); pad && depth) {
      IRBuilder<> builder(&*pad->getParent()->getFirstInsertionPt());
      builder.SetCurrentDebugLocation(placeOf(one));
      builder.CreateCall(hook("__heddle_seed_unwound", void_, {i32_}), {depth});
      return;
    }
    if (auto* back = dyn_cast<ReturnInst>(&one); back && depth)
      returns(*back, zone, depth);
  }

  DebugLoc placeOf(const Instruction& one) {
    if (one.getDebugLoc())
      return one.getDebugLoc();
    return DILocation::get(context_, 0, 0, one.getFunction()->getSubprogram());
  }

  /// The counter of std::shared_ptr is not atomic while there is one thread, as here.
  static bool isCounter(const Instruction& one) {
    return StringRef(sourcePlace(one).file).ends_with("ext/atomicity.h");
  }

  /// Code of the system acts at the place where the library has called it, which only the recorder
  /// knows.
  static SourcePlace toldPlace(const Instruction& one, Zone zone) {
    bool isSystem = zone == Zone::System || zone == Zone::Container;
    return isSystem ? SourcePlace{} : sourcePlace(one);
  }

  void access(Instruction& one, Value* address, Type* type, Value* value, uint32_t flags,
              Zone zone) {
    flags |= isCounter(one) ? kAtomic : 0;
    if (isa<AllocaInst>(address->stripPointerCasts()) || !one.getNextNode())
      return; // a local of its own function is nothing that the client gave
    IRBuilder<> builder(one.getNextNode());
    builder.SetCurrentDebugLocation(placeOf(one));
    bool isPointer = value && value->getType()->isPointerTy();
    Value* target = isPointer ? value : Constant::getNullValue(pointer_);
    SourcePlace place = toldPlace(one, zone);
    builder.CreateCall(
        hook("__heddle_seed_access", void_, {pointer_, i64_, i32_, pointer_, pointer_, i32_, i32_}),
        {address, number(module_.getDataLayout().getTypeStoreSize(type)),
         small(flags | (isPointer ? kPointer : 0)), target, text(place.file), small(place.line),
         small(place.column)});
  }

  void copied(MemTransferInst& copy, Zone zone) {
    IRBuilder<> builder(copy.getNextNode());
    builder.SetCurrentDebugLocation(placeOf(copy));
    SourcePlace place = toldPlace(copy, zone);
    builder.CreateCall(
        hook("__heddle_seed_copy", void_, {pointer_, pointer_, i64_, pointer_, i32_, i32_}),
        {copy.getRawDest(), copy.getRawSource(),
         builder.CreateIntCast(copy.getLength(), i64_, false), text(place.file), small(place.line),
         small(place.column)});
  }

  /// The first place after the call where its result is there.
  Instruction* after(CallBase& call) {
    if (auto* invoke = dyn_cast<InvokeInst>(&call)) {
      BasicBlock* normal = invoke->getNormalDest();
      return normal->getSinglePredecessor() ? &*normal->getFirstInsertionPt() : nullptr;
    }
    return call.getNextNode();
  }

  void called(CallBase& call, Zone zone) {
    Function* callee = call.getCalledFunction();
    StringRef name = callee ? callee->getName() : "";
    if (callee && callee->isIntrinsic())
      return;
    if (zone == Zone::Client || zone == Zone::Library) {
      SourcePlace place = sourcePlace(call);
      IRBuilder<> builder(&call);
      builder.SetCurrentDebugLocation(placeOf(call));
      StringRef told = zone == Zone::Client ? "__heddle_seed_site" : "__heddle_seed_step";
      builder.CreateCall(hook(told, void_, {pointer_, i32_, i32_}),
                         {text(place.file), small(place.line), small(place.column)});
    }
    if (name.starts_with("_Zn") || name == "malloc" || name == "calloc")
      return allocated(call, name);
    if (name.starts_with("_Zd") || name == "free")
      return before(call, "__heddle_seed_free");
    if (StringSwitch<bool>(name)
            .Cases("pthread_mutex_lock", "pthread_rwlock_wrlock", "pthread_spin_lock", true)
            .Default(false))
      return locked(call, false);
    if (name == "pthread_rwlock_rdlock")
      return locked(call, true);
    if (name == "pthread_mutex_trylock" || name == "pthread_rwlock_trywrlock")
      return locked(call, false);
    if (name == "pthread_mutex_unlock" || name == "pthread_rwlock_unlock" ||
        name == "pthread_spin_unlock")
      return before(call, "__heddle_seed_unlock");
  }

  void before(CallBase& call, StringRef name) {
    IRBuilder<> builder(&call);
    builder.SetCurrentDebugLocation(placeOf(call));
    builder.CreateCall(hook(name, void_, {pointer_}), {call.getArgOperand(0)});
  }

  void locked(CallBase& call, bool shared) {
    Instruction* next = after(call);
    if (!next)
      return;
    IRBuilder<> builder(next);
    builder.SetCurrentDebugLocation(placeOf(call));
    builder.CreateCall(
        hook("__heddle_seed_lock", void_, {pointer_, i32_, i32_}),
        {call.getArgOperand(0), builder.CreateIntCast(&call, i32_, true), small(shared ? 1 : 0)});
  }

  void allocated(CallBase& call, StringRef name) {
    Instruction* next = after(call);
    if (!next || call.arg_empty() || !call.getType()->isPointerTy())
      return;
    IRBuilder<> builder(next);
    builder.SetCurrentDebugLocation(placeOf(call));
    Value* size = builder.CreateIntCast(call.getArgOperand(0), i64_, false);
    if (name == "calloc")
      size = builder.CreateMul(size, builder.CreateIntCast(call.getArgOperand(1), i64_, false));
    auto* made = dyn_cast_or_null<DIType>(call.getMetadata("heapallocsite"));
    builder.CreateCall(hook("__heddle_seed_allocate", void_, {pointer_, i64_, i64_}),
                       {&call, size, number(made ? tables_.type(made) : 0)});
  }

  void returns(ReturnInst& back, Zone zone, Value* depth) {
    Instruction* where = &back;
    if (auto* tail = back.getParent()->getTerminatingMustTailCall())
      where = tail;
    IRBuilder<> builder(where);
    builder.SetCurrentDebugLocation(placeOf(back));
    Function& function = *back.getFunction();
    if (zone == Zone::Library) {
      std::vector<SeedParameter> parameters = tables_.parameters(function.getSubprogram());
      Value* value = where == &back ? back.getReturnValue() : nullptr;
      if (function.hasStructRetAttr())
        value = function.getArg(0);
      if (!parameters.empty() && parameters[0].type != 0)
        tell(builder, kResultIndex, parameters[0], value);
    }
    builder.CreateCall(hook("__heddle_seed_leave", void_, {i32_}), {depth});
  }

  static const DIGlobalVariable* variableOf(const GlobalVariable& global) {
    SmallVector<DIGlobalVariableExpression*, 1> expressions;
    global.getDebugInfo(expressions);
    return expressions.empty() ? nullptr : expressions.front()->getVariable();
  }

  std::vector<GlobalVariable*> globals() {
    std::vector<GlobalVariable*> all;
    for (GlobalVariable& global : module_.globals())
      if (variableOf(global) && !global.isConstant() && !global.isDeclaration() &&
          !global.isThreadLocal())
        all.push_back(&global);
    return all;
  }

  void addGlobal(GlobalVariable& global, IRBuilder<>& builder) {
    const DIGlobalVariable* variable = variableOf(global);
    const DIScope* scope = variable->getScope();
    if (const auto* member = variable->getStaticDataMemberDeclaration())
      scope = member->getScope();
    bool nameable = !isa_and_nonnull<DILocalScope>(scope);
    if (const auto* member = variable->getStaticDataMemberDeclaration())
      nameable = (member->getFlags() & DINode::FlagAccessibility) == DINode::FlagPublic;
    std::string owner = qualifiedName(scope);
    std::string name = (owner.empty() ? "" : owner + "::") + variable->getName().str();
    uint64_t size = module_.getDataLayout().getTypeAllocSize(global.getValueType());
    builder.CreateCall(hook("__heddle_seed_global", void_, {pointer_, pointer_, i64_, i64_, i32_}),
                       {text(name), &global, number(size),
                        number(tables_.type(variable->getType())), small(nameable ? 1 : 0)});
  }

  void addConstructor() {
    auto* function = Function::Create(FunctionType::get(void_, false), GlobalValue::InternalLinkage,
                                      "heddle.seed.begin", module_);
    IRBuilder<> builder(BasicBlock::Create(context_, "", function));
    for (GlobalVariable* global : globals())
      tables_.type(variableOf(*global)->getType());
    builder.CreateCall(hook("__heddle_seed_tables", void_, {pointer_}), {text(tables_.text())});
    for (GlobalVariable* global : globals())
      addGlobal(*global, builder);
    builder.CreateRetVoid();
    appendToGlobalCtors(module_, function, 101);
  }

  Module& module_;
  LLVMContext& context_;
  SeedTables tables_;
  Type* void_;
  Type* i32_;
  Type* i64_;
  PointerType* pointer_;
  std::map<std::string, Constant*> texts_;
};

} // namespace

std::vector<std::string> SeedRecordingPass::libraryFromEnvironment() {
  std::vector<std::string> own;
  const char* value = std::getenv("HEDDLE_SEED");
  SmallVector<StringRef> parts;
  StringRef(value ? value : "").split(parts, ';', -1, false);
  for (StringRef part : parts)
    own.push_back(part.str());
  return own;
}

PreservedAnalyses SeedRecordingPass::run(Module& module, ModuleAnalysisManager& analyses) {
  module.setIsNewDbgInfoFormat(true);
  auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (Function& function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(Attribute::Naked))
      continue;
    PreservedAnalyses preserved = SROAPass(SROAOptions::PreserveCFG).run(function, functions);
    functions.invalidate(function, preserved);
  }
  Recorder(module, own_).run();
  return PreservedAnalyses::none();
}

} // namespace heddle::pass
