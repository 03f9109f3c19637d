#include "lock_guards.h"

#include "call_graph.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Instructions.h"

#include <cstdlib>

using namespace llvm;

namespace heddle::pass {
namespace {

// A guard that was moved from a guard that was moved ...
constexpr int kMaxMoves = 4;

bool mayNameGuard(StringRef name) {
  return name.starts_with("_ZN") &&
         (name.contains_insensitive("lock") || name.contains_insensitive("guard"));
}

// "std::lock_guard" of "std::lock_guard<std::mutex>::lock_guard(...)".
std::string className(const ItaniumPartialDemangler& demangler) {
  char* context = demangler.getFunctionDeclContextName(nullptr, nullptr);
  StringRef name = context ? context : "";
  name = name.substr(0, name.find('<'));
  std::string result =
      name.substr(name.rfind("::") == StringRef::npos ? 0 : name.rfind("::")).str();
  std::free(context);
  return result;
}

bool isGuardMember(const CallBase& call, bool constructorOnly) {
  const Function* callee = directCallee(call);
  if (!callee || !mayNameGuard(callee->getName()) || call.arg_empty())
    return false;
  std::string mangled = callee->getName().str(); // the demangler points into it
  ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str()) || !demangler.isFunction())
    return false;
  if (constructorOnly && (!demangler.isCtorOrDtor() || call.arg_size() < 2))
    return false;
  std::string name = className(demangler);
  return mayNameGuard("_ZN" + name) && !StringRef(name).contains_insensitive("mutex");
}

const Value* mutexOf(const Value* guard, int moves);

const Value* constructorsMutex(const CallBase& constructor, int moves) {
  const Value* from = constructor.getArgOperand(1);
  if (!from->getType()->isPointerTy())
    return nullptr;
  const Value* movedFrom = isa<AllocaInst>(from) ? mutexOf(from, moves + 1) : nullptr;
  return movedFrom ? movedFrom : from;
}

const Value* mutexOf(const Value* guard, int moves) {
  if (!isa<AllocaInst>(guard) || moves > kMaxMoves)
    return nullptr;
  for (const User* user : guard->users()) {
    const auto* call = dyn_cast<CallBase>(user);
    if (call && isGuardMember(*call, /*constructorOnly=*/true) && call->getArgOperand(0) == guard)
      return constructorsMutex(*call, moves);
  }
  return nullptr;
}

} // namespace

const Value* guardedMutex(const CallBase& call) {
  if (!isGuardMember(call, /*constructorOnly=*/false))
    return nullptr;
  return mutexOf(call.getArgOperand(0), 0);
}

} // namespace heddle::pass
