#include "build_command.h"

#include "model/build_record.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <cstdlib>

using namespace llvm;

namespace heddle::pass {

void embedBuildCommand(Module& module) {
  const char* told = std::getenv(kBuildVariable);
  if (!told)
    return;
  // Words are separated by line feeds there: a variable cannot have zeroes in it.
  SmallVector<StringRef> words;
  StringRef(told).split(words, '\n');
  BuildRecord record;
  record.directory = words.front().str();
  record.source = module.getSourceFileName();
  for (StringRef word : ArrayRef<StringRef>(words).drop_front())
    record.arguments.push_back(word.str());
  Constant* bytes = ConstantDataArray::getString(module.getContext(), encodeBuildRecord(record),
                                                 /*AddNull=*/false);
  auto* global = new GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, bytes, "heddle.build");
  global->setSection(kBuildSection);
  global->setAlignment(Align(1));
  appendToUsed(module, {global});
}

} // namespace heddle::pass
