#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace heddle::pass {

/// Calls visit(function, text) for each `__attribute__((annotate(text)))` of a function.
void eachAnnotation(const llvm::Module& module,
                    llvm::function_ref<void(const llvm::Function&, llvm::StringRef)> visit);

} // namespace heddle::pass
