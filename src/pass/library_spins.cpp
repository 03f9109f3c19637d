#include "library_spins.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle::pass {
namespace {

/// std::__detail::__atomic_spin<…>, of bits/atomic_wait.h.
constexpr StringRef kSpinFunction = "_ZNSt8__detail13__atomic_spinI";
/// How often it looks (__atomic_spin_count).
constexpr uint64_t kLooks = 16;

bool countsLooks(const ICmpInst& compare) {
  auto* bound = dyn_cast<ConstantInt>(compare.getOperand(1));
  return bound && bound->getZExtValue() == kLooks &&
         (compare.getPredicate() == CmpInst::ICMP_SLT ||
          compare.getPredicate() == CmpInst::ICMP_ULT);
}

} // namespace

void shortenLibrarySpins(Module& module) {
  for (Function& function : module) {
    if (function.isDeclaration() || !function.getName().starts_with(kSpinFunction))
      continue;
    for (Instruction& instruction : instructions(function))
      if (auto* compare = dyn_cast<ICmpInst>(&instruction); compare && countsLooks(*compare))
        compare->setOperand(1, ConstantInt::get(compare->getOperand(1)->getType(), 1));
  }
}

} // namespace heddle::pass
