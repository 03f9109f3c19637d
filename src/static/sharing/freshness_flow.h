#pragma once

#include "static/ir/flow.h"
#include "static/ir/paths.h"
#include "static/points_to/call_graph.h"
#include "static/sharing/escape.h"

#include "llvm/ADT/MapVector.h"

/// How objects are published in one function. docs/static-escape.md has the rules.
namespace heddle::analysis {

/// Parameters beyond these are taken for published.
inline constexpr uint32_t kMaxFreshParameters = 31;
inline constexpr uint32_t kUnknownSource = 1u << 31; ///< a source that is no parameter

/// What a function does to what its parameters point at.
struct FreshnessSummary {
  uint32_t published = 0; ///< bit i: parameter i's object may be known to others afterwards
  /// Per parameter: from which others (or from elsewhere) addresses were stored into its object.
  llvm::SmallVector<uint32_t, 4> from;
  bool returnsFresh = false;
  uint32_t inResult =
      0; ///< from which parameters (or elsewhere) addresses got into what it returns

  bool operator==(const FreshnessSummary&) const = default;
};

struct FreshRoot {
  bool pure = true;
  bool last = false; ///< the last owner has it: nobody else does any more
  llvm::SmallVector<const llvm::Value*, 2>
      holds; ///< fresh roots whose addresses were stored into it

  bool operator==(const FreshRoot&) const = default;
};

/// Fresh roots: parameters, locals, allocations.
using FreshnessState = llvm::SmallMapVector<const llvm::Value*, FreshRoot, 8>;

/// The local variable whose life begins with the call: what it returns into, or constructs. Not all
/// temporaries have markers that say so.
const llvm::AllocaInst* madeBy(const llvm::CallBase& call);

/// What the flows through all instances look at.
struct FreshnessContext {
  const CallGraph& graph;
  const Escape& escape;
  Paths& paths;
  llvm::DenseMap<uint32_t, FreshnessSummary> summaries{}; ///< by instance
  mutable llvm::DenseMap<uint32_t, bool> holding{};       ///< objects that addresses are kept in

  bool holdsAddresses(ObjectId object) const;
};

/// The flow through one instance: an Analysis of Flow.
struct FreshnessFlow {
  const FreshnessContext& context;
  InstanceId id;
  const FunctionConstraints& body;
  FreshnessSummary* summary = nullptr; ///< collects what is stored into parameters

  /// A pointer that walks through an object has the root that it starts from.
  const llvm::Value* rootOf(const llvm::Value* value) const;

  static void publish(FreshnessState& state, const llvm::Value* root);

  bool isShared(const llvm::Value* address) const;

  /// The address of (or in) `value`'s object becomes part of `target`'s.
  void store(FreshnessState& state, const llvm::Value* target, const llvm::Value* value) const;

  /// Addresses behind which there is nothing that can be written: null, code, vtables.
  static bool leadsNowhere(const llvm::Value* value);

  /// Literals and tables of numbers.
  static bool isPlainConstant(const llvm::GlobalVariable& variable);

  /// Whether addresses are kept where this one leads: a copy of bytes copies none.
  bool holdsAddresses(const llvm::Value* address) const;

  /// Whether following the address can lead to what other threads know.
  bool mayLead(const llvm::Value* value) const { return isShared(value); }

  /// Remembers for the callers that an address got into a parameter's object. `value` is null
  /// for one that a callee took from elsewhere.
  void noteStore(const FreshnessState& state, const llvm::Value* into, const llvm::Value* from,
                 const llvm::Value* value) const;

  /// The parameters that a root is or holds; `foreign`: one that is not known comes from
  /// elsewhere.
  static uint32_t sourcesOf(const FreshnessState& state, const llvm::Value* from, bool foreign,
                            const llvm::Argument* except);

  bool isAllocation(const llvm::Value* value) const;

  void step(FreshnessState& state, const llvm::Instruction& instruction) const;

  /// All addresses in one object get into another.
  void copy(FreshnessState& state, const llvm::Value* target, const llvm::Value* source) const;

  void stepCall(FreshnessState& state, const llvm::CallBase& call) const;

  /// Addresses that the callee has put into the new object that it returns.
  void fillResult(FreshnessState& state, const llvm::CallBase& call, uint32_t sources) const;

  void stepModel(FreshnessState& state, const CallOp& op) const;

  void apply(FreshnessState& state, const llvm::CallBase& call, const FreshnessSummary& done) const;

  /// Who takes the count in an object down to nothing has the object alone.
  void edge(FreshnessState& state, const FreshnessState&, const llvm::BasicBlock& from,
            const llvm::BasicBlock& to) const;

  bool merge(FreshnessState& into, const FreshnessState& from) const;
};

} // namespace heddle::analysis
