#include "static/ir/models.h"

#include "static/ir/standard_library.h"

using namespace llvm;

namespace heddle::analysis {

Models::Models() {
#define HEDDLE_MODEL(name, effect, a, b, c) byName_[#name] = {Effect::effect, a, b, c};
#include "static/ir/models.def"
#undef HEDDLE_MODEL
#define HEDDLE_QUIET(name) byName_[#name] = {};
#include "static/ir/quiet.def"
#undef HEDDLE_QUIET
  lockAll_.effect = Effect::LockAll;
}

const ExternalModel* Models::find(const Function& function) const {
  auto [entry, isNew] = cache_.try_emplace(&function, nullptr);
  if (!isNew)
    return entry->second;
  StringRef name = function.getName();
  if (auto found = byName_.find(name); found != byName_.end())
    entry->second = &found->second;
  else if (isLibraryAllocation(name))
    entry->second = &byName_.find("_Znwm")->second;
  else if (isQuietLibrary(name) || function.hasAvailableExternallyLinkage())
    entry->second = &nothing_;
  return entry->second;
}

const ExternalModel* Models::replacement(const Function& function) const {
  if (function.isDeclaration())
    return nullptr;
  StringRef name = function.getName();
  if (StringRef real = wrappedFunction(name); !real.empty())
    return &byName_.find(real)->second;
  if (isLockOfSeveral(name))
    return &lockAll_;
  if (isHandedOverState(name) || isWaitsUnlock(name))
    return &nothing_;
  return nullptr;
}

} // namespace heddle::analysis
