#include "static/program/harness.h"

#include "static/ir/addresses.h"
#include "static/ir/object_types.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

class HarnessMaker {
public:
  HarnessMaker(Module& module, const ClassTable& table, const Interface& interface)
      : module_(module), table_(table), interface_(interface), context_(module.getContext()),
        pointer_(PointerType::getUnqual(context_)), word_(Type::getInt64Ty(context_)),
        setUp_(context_), start_(context_) {}

  Function& make() && {
    auto* type = FunctionType::get(Type::getVoidTy(context_), false);
    Function* harness = Function::Create(type, GlobalValue::InternalLinkage, kHarnessName, module_);
    auto* entry = BasicBlock::Create(context_, "entry", harness);
    auto* objects = BasicBlock::Create(context_, "objects", harness);
    auto* threads = BasicBlock::Create(context_, "threads", harness);
    auto* exit = BasicBlock::Create(context_, "exit", harness);
    IRBuilder<>(entry).CreateBr(objects);
    setUp_.SetInsertPoint(objects);
    start_.SetInsertPoint(threads);
    findShared();
    for (const ClassFacts* facts : interface_.classes)
      addClients(*facts);
    for (Function* function : interface_.functions)
      addClient(*function, *function->getSubprogram(), nullptr);
    setUp_.CreateBr(threads);
    start_.CreateCondBr(any(start_, Type::getInt1Ty(context_)), objects, exit);
    IRBuilder<>(exit).CreateRetVoid();
    return *harness;
  }

private:
  // --- shared objects

  /// Classes whose objects all callers share: those of the interface, what its functions return,
  /// and, where there are no member functions, what they are given.
  void findShared() {
    for (const ClassFacts* facts : interface_.classes)
      slotOf(*facts);
    auto share = [&](const DIType* type) {
      if (const ClassFacts* facts = table_.find(pointeeClass(type)))
        slotOf(*facts);
    };
    auto shareResult = [&](const Function* function) {
      auto types = function->getSubprogram()->getType()->getTypeArray();
      if (types.size() > 0)
        share(types[0]);
    };
    for (const ClassFacts* facts : interface_.classes)
      for (const Function* method : facts->methods)
        shareResult(method);
    for (const Function* function : interface_.functions) {
      shareResult(function);
      for (const DIType* type : function->getSubprogram()->getType()->getTypeArray())
        if (const ClassFacts* facts = table_.find(pointeeClass(type));
            facts && facts->methods.empty())
          slotOf(*facts);
    }
  }

  /// The variable that holds the shared objects of a class; objects of it and of all classes that
  /// are derived from it are put there when it is made.
  GlobalVariable* slotOf(const ClassFacts& wanted) {
    auto [entry, isNew] = slots_.try_emplace(&wanted, nullptr);
    if (!isNew)
      return entry->second;
    auto* slot =
        new GlobalVariable(module_, pointer_, false, GlobalValue::InternalLinkage,
                           ConstantPointerNull::get(pointer_), "heddle.shared." + wanted.name);
    slots_[&wanted] = slot;
    for (const ClassFacts& facts : table_.all())
      for (const BaseClass& base : table_.basesOf(facts.type))
        if (table_.find(base.type) == &wanted && !facts.isAbstract)
          for (Value* object : objectsOf(facts))
            setUp_.CreateStore(setUp_.CreateConstGEP1_64(setUp_.getInt8Ty(), object, base.offset),
                               slot);
    return slot;
  }

  /// One object for each constructor.
  const SmallVector<Value*, 2>& objectsOf(const ClassFacts& facts) {
    auto [entry, isNew] = objects_.try_emplace(&facts);
    if (!isNew)
      return entry->second;
    SmallVector<Value*, 2> made;
    for (Function* constructor : facts.constructors) {
      Value* object = allocate(setUp_, *facts.type);
      made.push_back(object);
      SmallVector<Value*, 4> arguments{object};
      addArguments(setUp_, *constructor, *constructor->getSubprogram(), arguments,
                   /*constructing=*/true);
      setUp_.CreateCall(constructor, arguments);
    }
    // Without a constructor there is nothing to run but the setting of the vtable.
    if (made.empty()) {
      Value* object = allocate(setUp_, *facts.type);
      made.push_back(object);
      if (GlobalVariable* vtable = vtableOf(*facts.type))
        setUp_.CreateStore(
            ConstantExpr::getGetElementPtr(setUp_.getInt8Ty(), vtable, setUp_.getInt64(16)),
            object);
    }
    return objects_[&facts] = made;
  }

  GlobalVariable* vtableOf(const DICompositeType& type) {
    StringRef identifier = type.getIdentifier(); // _ZTS and the class's mangled name
    return identifier.starts_with("_ZTS")
               ? module_.getNamedGlobal(("_ZTV" + identifier.drop_front(4)).str())
               : nullptr;
  }

  Value* allocate(IRBuilder<>& at, const DIType& type) {
    FunctionCallee allocator = module_.getOrInsertFunction("_Znwm", pointer_, word_);
    uint64_t bytes = std::max<uint64_t>(type.getSizeInBits() / 8, 1);
    CallInst* call = at.CreateCall(allocator, {at.getInt64(bytes)});
    call->setMetadata("heapallocsite", const_cast<DIType*>(&type)); // LLVM's interface
    return call;
  }

  // --- calls

  void addClients(const ClassFacts& facts) {
    for (Function* method : facts.methods)
      addClient(*method, *method->getSubprogram(), &facts);
    for (const DISubprogram* declaration : facts.withoutCode)
      if (declaration->getVirtuality() == dwarf::DW_VIRTUALITY_pure_virtual)
        if (Function* implementation = implementationOf(*declaration, facts))
          addClient(*implementation, *declaration, &facts);
  }

  /// A function that implements a pure virtual one; it tells how the call looks.
  Function* implementationOf(const DISubprogram& declaration, const ClassFacts& base) const {
    for (const ClassFacts& facts : table_.all())
      for (const BaseClass& each : table_.basesOf(facts.type)) {
        if (table_.find(each.type) != &base)
          continue;
        for (Function* method : facts.methods)
          if (method->getSubprogram()->getName() == declaration.getName())
            return method;
      }
    return nullptr;
  }

  static const DISubprogram& declarationOf(const DISubprogram& subprogram) {
    return subprogram.getDeclaration() ? *subprogram.getDeclaration() : subprogram;
  }

  /// A thread that calls the function on the shared objects.
  void addClient(Function& function, const DISubprogram& subprogram, const ClassFacts* owner) {
    std::string name = (owner ? owner->name + "::" : "") + subprogram.getName().str();
    auto* type = FunctionType::get(pointer_, {pointer_}, false);
    Function* client =
        Function::Create(type, GlobalValue::InternalLinkage, kClientPrefix + Twine(name), module_);
    IRBuilder<> body(BasicBlock::Create(context_, "entry", client));
    SmallVector<Value*, 4> arguments;
    if (function.hasStructRetAttr())
      arguments.push_back(buffer(body, nullptr));
    const DISubprogram& declaration = declarationOf(subprogram);
    auto types = declaration.getType()->getTypeArray();
    auto* self = types.size() > 1 ? dyn_cast_or_null<DIDerivedType>(types[1]) : nullptr;
    Value* receiver = nullptr;
    if (owner && self && self->isObjectPointer()) {
      receiver = body.CreateLoad(pointer_, slotOf(*owner));
      arguments.push_back(receiver);
    }
    addArguments(body, function, declaration, arguments, /*constructing=*/false);
    Value* callee = &function;
    if (receiver && declaration.getVirtuality() != dwarf::DW_VIRTUALITY_none) {
      Value* vtable = body.CreateLoad(pointer_, receiver);
      callee = body.CreateLoad(pointer_, body.CreateConstInBoundsGEP1_64(
                                             pointer_, vtable, declaration.getVirtualIndex()));
    }
    CallInst* call = body.CreateCall(function.getFunctionType(), callee, arguments);
    if (function.hasStructRetAttr())
      call->addParamAttr(0, function.getParamAttribute(0, Attribute::StructRet));
    keepResult(body, *call, types.size() ? types[0] : nullptr);
    body.CreateRet(ConstantPointerNull::get(pointer_));
    startThread(*client);
  }

  /// What one call returns another may be given.
  void keepResult(IRBuilder<>& body, CallInst& call, const DIType* type) {
    const ClassFacts* facts = table_.find(pointeeClass(type));
    if (facts && call.getType()->isPointerTy())
      body.CreateStore(&call, slotOf(*facts));
  }

  void startThread(Function& client) {
    FunctionCallee create = module_.getOrInsertFunction(
        "pthread_create", Type::getInt32Ty(context_), pointer_, pointer_, pointer_, pointer_);
    Constant* null = ConstantPointerNull::get(pointer_);
    start_.CreateCall(create, {start_.CreateAlloca(word_), null, &client, null});
  }

  // --- arguments

  void addArguments(IRBuilder<>& at, const Function& function, const DISubprogram& declaration,
                    SmallVectorImpl<Value*>& arguments, bool constructing) {
    auto types = declaration.getType()->getTypeArray();
    size_t hidden = function.hasStructRetAttr() ? 1 : 0;
    // Structs in several registers have fewer types than parameters.
    bool typed = types.size() == function.arg_size() - hidden + 1;
    for (size_t i = arguments.size(); i < function.arg_size(); ++i) {
      const DIType* type = typed ? types[i - hidden + 1] : nullptr;
      arguments.push_back(argument(at, *function.getArg(i), type, constructing));
    }
  }

  Value* argument(IRBuilder<>& at, const Argument& parameter, const DIType* type,
                  bool constructing) {
    if (!parameter.getType()->isPointerTy())
      return any(at, parameter.getType());
    const ClassFacts* facts = table_.find(pointeeClass(type));
    // An object is built on shared ones; what is handed to a member otherwise is the caller's own.
    if (facts && (constructing || slots_.contains(facts)))
      return at.CreateLoad(pointer_, slotOf(*facts));
    return buffer(at, pointeeOf(type));
  }

  static const DIType* pointeeOf(const DIType* type) {
    auto* pointer = dyn_cast_or_null<DIDerivedType>(strippedType(type));
    return pointer ? strippedType(pointer->getBaseType()) : nullptr;
  }

  /// Memory of the caller. Its type is left open: callers may hand over anything.
  Value* buffer(IRBuilder<>& at, const DIType* type) {
    uint64_t bytes = type ? std::max<uint64_t>(type->getSizeInBits() / 8, 64) : 256;
    FunctionCallee allocator = module_.getOrInsertFunction("_Znwm", pointer_, word_);
    return at.CreateCall(allocator, {at.getInt64(bytes)});
  }

  Value* any(IRBuilder<>& at, Type* type) {
    if (!any_)
      any_ = new GlobalVariable(module_, ArrayType::get(at.getInt8Ty(), 4096), false,
                                GlobalValue::ExternalLinkage, nullptr, "heddle.any");
    return at.CreateLoad(type, any_);
  }

  Module& module_;
  const ClassTable& table_;
  const Interface& interface_;
  LLVMContext& context_;
  PointerType* pointer_;
  IntegerType* word_;
  IRBuilder<> setUp_, start_;
  DenseMap<const ClassFacts*, GlobalVariable*> slots_;
  DenseMap<const ClassFacts*, SmallVector<Value*, 2>> objects_;
  GlobalVariable* any_ = nullptr;
};

} // namespace

Function& addHarness(Module& module, const ClassTable& table, const Interface& interface) {
  return HarnessMaker(module, table, interface).make();
}

} // namespace heddle::analysis
