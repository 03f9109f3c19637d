#include "promises.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace heddle::pass {

static constexpr Attribute::AttrKind kBroken[] = {
    Attribute::Memory,     Attribute::NoSync,    Attribute::NoFree,       Attribute::WillReturn,
    Attribute::NoCallback, Attribute::NoRecurse, Attribute::Speculatable,
};

void dropPromises(Function& function) {
  for (Attribute::AttrKind kind : kBroken)
    function.removeFnAttr(kind);
}

void dropPromises(CallBase& call) {
  for (Attribute::AttrKind kind : kBroken)
    call.removeFnAttr(kind);
}

} // namespace heddle::pass
