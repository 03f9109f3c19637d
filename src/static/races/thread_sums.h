#pragma once

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <map>
#include <optional>
#include <vector>

namespace heddle::analysis {

/// A part of a sum: a value that all threads of a team see alike, one that no two of them have at a
/// time (an iteration of a shared loop), or one that is neither.
using Symbol = uint32_t;
/// Products of symbols, each so many times; the empty product is the constant.
using Sum = std::map<std::vector<Symbol>, int64_t>;

/// Where a value is computed: in a function that was called so, from the team's region down.
struct CalledFrom {
  const llvm::CallBase* call = nullptr;
  const CalledFrom* caller = nullptr; ///< null: the call stands in the region
};

/// Addresses as sums of what threads of a team have in common and what each has for itself.
class ThreadSums {
public:
  explicit ThreadSums(const llvm::DataLayout& layout) : layout_(layout) {}

  /// Null for the region itself.
  Sum of(const llvm::Value* value, const CalledFrom* from);
  /// Whether accesses of two threads at these addresses never overlap.
  bool areApart(const Sum& one, uint64_t size, const Sum& other, uint64_t otherSize) const;

private:
  enum class Kind : uint8_t { Common, Own, Any };
  struct Info {
    Kind kind;
    bool bounded = false; ///< Any: from min to max, or below limit
    int64_t min = 0, max = 0;
    std::optional<Symbol> limit = {};
    bool derived = false; ///< computed of what each thread has for itself
  };
  using Key =
      std::tuple<uint64_t, const void*, std::vector<std::pair<std::vector<Symbol>, int64_t>>>;
  struct Window {
    int64_t begin, end;
    bool symbolic; ///< and up to the symbolic step
  };

  Sum compute(const llvm::Value* value, const CalledFrom* from, unsigned depth);
  Sum ofElement(const llvm::GEPOperator& gep, const CalledFrom* from, unsigned depth);
  Sum ofLoad(const llvm::LoadInst& load, const CalledFrom* from, unsigned depth);
  Sum ofCall(const llvm::CallBase& call, const CalledFrom* from, unsigned depth);
  Sum ofPhi(const llvm::PHINode& phi, const CalledFrom* from, unsigned depth);
  Sum ofOperation(const llvm::BinaryOperator& operation, const CalledFrom* from, unsigned depth);
  std::optional<Info> boundsOf(const llvm::PHINode& phi, const CalledFrom* from, unsigned depth);
  Symbol symbol(uint64_t tag, const void* what, const Sum& sum, Info info);
  Sum any(const void* what) { return {{{symbol(1, what, {}, {Kind::Any})}, 1}}; }
  bool isCommon(const Sum& sum) const;
  bool isKnown(const Sum& sum) const;
  bool isDerived(const Sum& sum) const;
  static const llvm::Value* onlyValue(const llvm::AllocaInst& local);
  std::optional<Window> windowOf(const Sum& sum, const std::vector<Symbol>& step, int64_t factor,
                                 uint64_t size) const;

  const llvm::DataLayout& layout_;
  std::vector<Info> symbols_;
  std::map<Key, Symbol> known_;
};

/// Whether the phi is the number of an iteration that one thread of a team executes.
bool isSharedIteration(const llvm::PHINode& phi);

} // namespace heddle::analysis
