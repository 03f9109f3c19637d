#include "tables.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace heddle::pass {
namespace {

// Constructors of the program start at 101; below is the implementation's.
constexpr int kConstructorPriority = 1;

/// The string table: equal strings once, offset 0 is "".
class Strings {
public:
  Strings() { offsetOf(""); }

  uint32_t offsetOf(StringRef text) {
    auto [entry, isNew] = offsets_.try_emplace(text, bytes_.size());
    if (isNew) {
      bytes_.append(text.begin(), text.end());
      bytes_.push_back('\0');
    }
    return entry->second;
  }
  const std::string& bytes() const { return bytes_; }

private:
  StringMap<uint32_t> offsets_;
  std::string bytes_;
};

GlobalVariable* addGlobal(Module& module, Constant* value, bool isConstant, const char* name) {
  return new GlobalVariable(module, value->getType(), isConstant, GlobalValue::InternalLinkage,
                            value, name);
}

GlobalVariable* addZeroes(Module& module, Type* element, size_t count, const char* name) {
  return addGlobal(module, Constant::getNullValue(ArrayType::get(element, count)),
                   /*isConstant=*/false, name);
}

// The records hold no pointers, so their bytes are written as they lie in memory.
template <typename T>
GlobalVariable* addRecords(Module& module, const std::vector<T>& records, const char* name) {
  StringRef bytes(reinterpret_cast<const char*>(records.data()), records.size() * sizeof(T));
  GlobalVariable* global =
      addGlobal(module, ConstantDataArray::getString(module.getContext(), bytes, /*AddNull=*/false),
                /*isConstant=*/true, name);
  global->setAlignment(Align(alignof(T)));
  return global;
}

SiteRecord siteRecord(const ModuleSites& sites, uint32_t functionIndex, const Site& site,
                      Strings& strings) {
  SiteRecord record = {};
  record.identity = site.identity;
  record.function = strings.offsetOf(sites.functions[functionIndex].name);
  record.file = strings.offsetOf(site.file);
  record.line = site.line;
  record.column = site.column;
  record.size = site.size;
  record.object = strings.offsetOf(site.object);
  record.offset = site.offset;
  record.callee = strings.offsetOf(site.callee);
  record.inlinedAt = strings.offsetOf(site.inlinedAt);
  record.functionIndex = functionIndex;
  record.kind = site.kind;
  record.flags = site.flags;
  record.ordinal = site.ordinal;
  return record;
}

struct Records {
  std::vector<SiteRecord> sites;
  std::vector<FunctionRecord> functions;
  std::vector<uint32_t> callees;
  Strings strings;
};

Records makeRecords(const ModuleSites& sites) {
  Records records;
  for (uint32_t i = 0; i < sites.functions.size(); ++i) {
    const FunctionSites& function = sites.functions[i];
    records.functions.push_back({records.strings.offsetOf(function.name),
                                 records.strings.offsetOf(function.displayName), function.firstSite,
                                 function.siteCount, static_cast<uint32_t>(records.callees.size()),
                                 static_cast<uint32_t>(function.callees.size())});
    records.callees.insert(records.callees.end(), function.callees.begin(), function.callees.end());
    for (uint32_t s = 0; s < function.siteCount; ++s)
      records.sites.push_back(
          siteRecord(sites, i, sites.sites[function.firstSite + s], records.strings));
  }
  return records;
}

GlobalVariable* addDescriptor(Module& module, const Records& records, const SiteArrays& arrays) {
  LLVMContext& context = module.getContext();
  auto number = [&](uint64_t value) { return ConstantInt::get(Type::getInt32Ty(context), value); };
  Constant* null = ConstantPointerNull::get(PointerType::getUnqual(context));
  Constant* strings =
      ConstantDataArray::getString(context, records.strings.bytes(), /*AddNull=*/false);
  Constant* source = ConstantDataArray::getString(context, module.getSourceFileName());
  Constant* fields[] = {
      number(kSiteTableMagic),
      number(kSiteTableVersion),
      number(records.sites.size()),
      number(records.functions.size()),
      number(records.callees.size()),
      number(records.strings.bytes().size()),
      addRecords(module, records.sites, "heddle.sites"),
      arrays.modes,
      arrays.slots,
      addRecords(module, records.functions, "heddle.functions"),
      arrays.functionModes,
      addRecords(module, records.callees, "heddle.callees"),
      addGlobal(module, strings, /*isConstant=*/true, "heddle.strings"),
      addGlobal(module, source, /*isConstant=*/true, "heddle.source"),
      null,                                           // next
      ConstantInt::get(Type::getInt64Ty(context), 0), // reserved
  };
  GlobalVariable* descriptor = addGlobal(module, ConstantStruct::getAnon(fields),
                                         /*isConstant=*/false, "heddle.descriptor");
  descriptor->setAlignment(Align(alignof(ModuleDescriptor)));
  return descriptor;
}

// void name() { if (hook) hook(&descriptor); }
Function* addCaller(Module& module, const char* name, const char* hookName,
                    GlobalVariable* descriptor) {
  LLVMContext& context = module.getContext();
  auto* hookType = FunctionType::get(Type::getVoidTy(context), {PointerType::getUnqual(context)},
                                     /*isVarArg=*/false);
  auto* hook = cast<Function>(module.getOrInsertFunction(hookName, hookType).getCallee());
  if (hook->isDeclaration())
    hook->setLinkage(GlobalValue::ExternalWeakLinkage);
  auto* caller = Function::createWithDefaultAttr(
      FunctionType::get(Type::getVoidTy(context), /*isVarArg=*/false), GlobalValue::InternalLinkage,
      0, name, &module);
  auto* entry = BasicBlock::Create(context, "", caller);
  auto* present = BasicBlock::Create(context, "", caller);
  auto* done = BasicBlock::Create(context, "", caller);
  IRBuilder<> builder(entry);
  builder.CreateCondBr(builder.CreateIsNotNull(hook), present, done);
  builder.SetInsertPoint(present);
  builder.CreateCall(hookType, hook, {descriptor});
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return caller;
}

Constant* element(GlobalVariable* array, uint32_t index) {
  Type* indexType = Type::getInt64Ty(array->getContext());
  Constant* indices[] = {ConstantInt::get(indexType, 0), ConstantInt::get(indexType, index)};
  return ConstantExpr::getInBoundsGetElementPtr(array->getValueType(), array, indices);
}

} // namespace

Constant* SiteArrays::mode(uint32_t site) const { return element(modes, site); }
Constant* SiteArrays::id(uint32_t site) const { return element(slots, site); }
Constant* SiteArrays::functionMode(uint32_t function) const {
  return element(functionModes, function);
}

SiteArrays createArrays(Module& module, const ModuleSites& sites) {
  LLVMContext& context = module.getContext();
  SiteArrays arrays;
  arrays.modes = addZeroes(module, Type::getInt8Ty(context), sites.sites.size(), kModesName);
  Type* word = Type::getInt64Ty(context);
  arrays.slots = addZeroes(module, StructType::get(word, word), sites.sites.size(), kSlotsName);
  arrays.functionModes =
      addZeroes(module, Type::getInt8Ty(context), sites.functions.size(), "heddle.function_modes");
  // The runtime writes them: without this, loads of them would fold to 0.
  appendToCompilerUsed(module, {arrays.modes, arrays.slots, arrays.functionModes});
  return arrays;
}

void createDescriptor(Module& module, const ModuleSites& sites, const SiteArrays& arrays) {
  GlobalVariable* descriptor = addDescriptor(module, makeRecords(sites), arrays);
  appendToGlobalCtors(module,
                      addCaller(module, "heddle.module_ctor", "__heddle_register", descriptor),
                      kConstructorPriority);
  appendToGlobalDtors(module,
                      addCaller(module, "heddle.module_dtor", "__heddle_unregister", descriptor),
                      kConstructorPriority);
}

} // namespace heddle::pass
