#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

#include <map>

namespace heddle::analysis {

/// Objects of the standard library that were moved from: what owned something owns nothing then,
/// and its destructor does nothing. Without it the destructor of every temporary std::unique_ptr
/// seems to free what was handed on. Flow-sensitive, with summaries for functions that move from
/// their parameters.
class MovedFrom {
public:
  explicit MovedFrom(const llvm::DataLayout& layout) : layout_(layout) {}

  /// Whether it is a destructor's call on something that was moved from on every way there.
  bool isVoid(const llvm::CallBase& call);

private:
  /// So far behind a parameter or a local variable.
  struct Part {
    const llvm::Value* root;
    int64_t offset;
    bool operator==(const Part&) const = default;
  };
  using State = llvm::SmallVector<Part, 4>; ///< what is empty
  struct Analysis;
  /// The offsets behind a parameter that are empty when the function returns.
  using Offsets = llvm::SmallVector<int64_t, 2>;
  using Summary = llvm::SmallVector<Offsets, 4>;

  Part partOf(const llvm::Value* address) const;
  bool isTracked(const llvm::Value* root);
  void step(State& state, const llvm::Instruction& instruction);
  void stepCall(State& state, const llvm::CallBase& call);
  const Summary& summaryOf(const llvm::Function& function);
  void analyse(const llvm::Function& function);
  bool destroysNothing(const llvm::Function& destructor, const Offsets& empty, unsigned depth);

  const llvm::DataLayout& layout_;
  std::map<const llvm::Function*, Summary> summaries_;
  llvm::DenseMap<const llvm::Value*, bool> tracked_;
  llvm::DenseSet<const llvm::Function*> analysed_;
  llvm::DenseSet<const llvm::CallBase*> void_;
  unsigned depth_ = 0;
};

} // namespace heddle::analysis
