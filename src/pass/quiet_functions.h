#pragma once

#include <map>
#include <set>

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace heddle::pass {

/// What a function does besides computing. It is quiet if a loop that calls it may still be one
/// that only waits: it reads, tries atomic updates that change nothing when repeated
/// (compare-exchange, exchange, or, and), and writes only memory that its caller lent it.
struct Quietness {
  bool quiet = false;
  bool reads = false;   ///< memory that another thread can change
  bool updates = false; ///< has an atomic update: what it writes follows from what it read
  std::set<unsigned> writtenArguments;
};

class QuietFunctions {
public:
  /// What the call does, with the callees in this module followed.
  Quietness ofCall(const llvm::CallBase& call);

  /// What one instruction does; `writtenArguments` are those of the function it stands in.
  Quietness ofInstruction(const llvm::Instruction& instruction);

  /// Whether a call of the function may write through its argument.
  bool writesArgument(const llvm::Function& function, unsigned argument);

private:
  const Quietness& ofFunction(const llvm::Function& function);

  std::map<const llvm::Function*, Quietness> known_;
};

} // namespace heddle::pass
