#include "static/points_to/program_constraints.h"

#include "static/points_to/constraint_maker.h"

using namespace llvm;

namespace heddle::analysis {

const FunctionConstraints& ProgramConstraints::of(const Function& function) {
  if (auto found = constraints_.find(&function); found != constraints_.end())
    return *found->second;
  // Made before it is stored: making it may ask for others' names, never for their constraints.
  auto body = makeConstraints(function, *this);
  return *constraints_.try_emplace(&function, std::move(body)).first->second;
}

bool ProgramConstraints::hasOneCaller(const Function& function) {
  if (!function.hasOneUse())
    return false;
  auto* call = dyn_cast<CallBase>(function.user_back());
  return call && call->isCallee(&*function.use_begin());
}

} // namespace heddle::analysis
