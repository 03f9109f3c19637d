#include "static/sharing/ownership.h"

#include "static/ir/standard_library.h"
#include "static/points_to/summary_solver.h"
#include "static/sharing/ownership_flow.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle::analysis {

struct Ownership::Impl {
  Impl(const CallGraph& graph, const Escape& escape, Paths& paths)
      : graph(graph), pointsTo(graph.pointsTo()), owners(graph, escape, paths) {}

  using InstanceFlow = Flow<OwnershipState, OwnershipFlow>;

  OwnershipFlow flowOf(InstanceId id) const {
    return {owners, graph, summaries, id, *pointsTo.instance(id).body};
  }

  static OwnershipState entryState(const FunctionConstraints& body,
                                   const FreshParameters& entering) {
    OwnershipState state;
    for (const Argument& argument : body.function->args()) {
      unsigned i = argument.getArgNo();
      if (i >= kMaxOwnedParameters)
        break;
      // What nobody else knows yet stays so until something is released.
      Owned kind = entering.steady & 1u << i                     ? Owned::Steady
                   : (entering.loose | entering.fresh) & 1u << i ? Owned::Loose
                   : entering.tied & 1u << i                     ? Owned::Tied
                                                                 : Owned::No;
      if (kind != Owned::No)
        state.values[&argument] = {kind, nullptr};
    }
    return state;
  }

  // --- summaries

  void findSummaries() {
    settled = SummarySolver(graph).solve(allInstances(graph),
                                         [&](InstanceId id) { return findSummary(id); });
  }

  bool findSummary(InstanceId id) {
    const FunctionConstraints& body = *pointsTo.instance(id).body;
    OwnershipSummary found;
    size_t count = std::min<size_t>(body.function->arg_size(), kMaxOwnedParameters);
    found.puts.assign(count, {});
    OwnershipFlow analysis = flowOf(id);
    analysis.summary = &found;
    InstanceFlow flow(*body.function, OwnershipState{}, analysis);
    findResult(*body.function, analysis, flow, found);
    auto [entry, isNew] = summaries.try_emplace(raw(id), found);
    if (!isNew && entry->second == found)
      return false;
    entry->second = found;
    return true;
  }

  void findResult(const Function& function, const OwnershipFlow& analysis, const InstanceFlow& flow,
                  OwnershipSummary& found) const {
    if (!function.getReturnType()->isPointerTy())
      return;
    std::optional<OwnedValue> result;
    SmallPtrSet<const Value*, 2> carriers;
    for (const BasicBlock& block : function) {
      auto* end = dyn_cast<ReturnInst>(block.getTerminator());
      const OwnershipState* start = flow.at(block);
      if (!end || !start)
        continue;
      OwnershipState state = *start;
      for (const Instruction& instruction : block)
        analysis.step(state, instruction);
      OwnedValue one = analysis.entryOf(state, end->getReturnValue());
      if (one.isOwned())
        one.holder = OwnershipFlow::firstHolder(state, one);
      carriers.insert(analysis.carrier(state, end->getReturnValue()));
      result = result ? meet(*result, one) : one;
    }
    auto* same = carriers.size() == 1 ? dyn_cast<Argument>(*carriers.begin()) : nullptr;
    if (same) {
      found.result = OwnershipSummary::Result::Same;
      found.resultOf = same->getArgNo();
      return;
    }
    if (!result || result->isNothing())
      return;
    auto* parameter = dyn_cast_or_null<Argument>(result->holder);
    found.result = !result->isOwned()            ? OwnershipSummary::Result::Content
                   : parameter                   ? OwnershipSummary::Result::Owned
                   : result->kind == Owned::Tied ? OwnershipSummary::Result::Tied
                                                 : OwnershipSummary::Result::Loose;
    found.resultOf = parameter ? parameter->getArgNo() : 0;
  }

  /// Whether anything can be owned in the instance when no parameter is.
  bool isConcerned(InstanceId id) const {
    auto [known, isNew] = concerned.try_emplace(raw(id), false);
    if (isNew)
      known->second = findConcerned(id);
    return known->second;
  }

  bool findConcerned(InstanceId id) const {
    const Function& function = *pointsTo.instance(id).body->function;
    for (const Instruction& each : instructions(function)) {
      auto* load = dyn_cast<LoadInst>(&each);
      if (load && load->getType()->isPointerTy() &&
          (isFunctionStorage(function.getName()) ||
           owners.isOwner(id, load->getPointerOperand(), true)))
        return true;
    }
    return any_of(graph.calls(id), [&](const CallEdge& edge) {
      auto found = summaries.find(raw(edge.callee));
      return edge.kind == EdgeKind::Call && found != summaries.end() &&
             ((found->second.result != OwnershipSummary::Result::No &&
               found->second.result != OwnershipSummary::Result::Content) ||
              any_of(found->second.puts,
                     [](const OwnershipSummary::Put& put) { return put.tied || put.owned; }));
    });
  }

  class InstanceAnswers : public Answers {
  public:
    InstanceAnswers(const Impl& impl, InstanceId id, const FreshParameters& entering)
        : analysis_(impl.flowOf(id)),
          flow_(*analysis_.body.function, entryState(analysis_.body, entering), analysis_) {}

    Owned of(const Instruction& at, const Value* address) override {
      const OwnershipState* state = before(at);
      return state ? analysis_.entryOf(*state, address).kind : Owned::No;
    }

    void atCall(const CallBase& call, InstanceId callee, FreshParameters& parameters) override {
      const OwnershipState* state = before(call);
      if (!state || state->values.empty())
        return;
      auto found = analysis_.summaries.find(raw(callee));
      OwnershipState during = *state;
      if (found != analysis_.summaries.end())
        analysis_.apply(during, *state, call, found->second);
      unsigned count = std::min<unsigned>(call.arg_size(), kMaxOwnedParameters);
      for (unsigned i = 0; i < count; ++i) {
        const Value* argument = call.getArgOperand(i);
        // What is fresh is loose anyway: fewer ways into a function are told
        // apart.
        if (!argument->getType()->isPointerTy() || parameters.fresh & 1u << i ||
            !analysis_.owners.isShared(analysis_.id, argument))
          continue;
        Owned kind = analysis_.entryOf(during, argument).kind;
        parameters.tied |= static_cast<uint32_t>(kind >= Owned::Tied) << i;
        parameters.loose |= static_cast<uint32_t>(kind >= Owned::Loose) << i;
        parameters.steady |= static_cast<uint32_t>(kind >= Owned::Steady) << i;
      }
    }

  private:
    /// The state before an instruction; they are mostly asked for in their
    /// order.
    const OwnershipState* before(const Instruction& at) {
      if (at.getParent() != block_ || !next_ || (next_ != &at && !next_->comesBefore(&at))) {
        block_ = at.getParent();
        const OwnershipState* start = flow_.at(*block_);
        next_ = start ? &block_->front() : nullptr;
        state_ = start ? *start : OwnershipState{};
      }
      if (!next_)
        return nullptr;
      for (; next_ != &at; next_ = next_->getNextNode())
        analysis_.step(state_, *next_);
      return &state_;
    }

    OwnershipFlow analysis_;
    InstanceFlow flow_;
    const BasicBlock* block_ = nullptr;
    const Instruction* next_ = nullptr; ///< the state is that before it; null: it is never reached
    OwnershipState state_;
  };

  const CallGraph& graph;
  const PointsTo& pointsTo;
  Owners owners;
  bool settled = false; ///< the summaries are all that can happen
  OwnershipSummaries summaries;
  mutable DenseMap<uint32_t, bool> concerned;
};

Ownership::Ownership(const CallGraph& graph, const Escape& escape, Paths& paths)
    : impl_(std::make_unique<Impl>(graph, escape, paths)) {
  impl_->findSummaries();
}

Ownership::~Ownership() = default;

bool Ownership::isSettled() const { return impl_->settled; }

std::unique_ptr<Ownership::Answers> Ownership::of(InstanceId instance,
                                                  const FreshParameters& entering) const {
  if (!impl_->settled || !(entering.tied || impl_->isConcerned(instance)))
    return nullptr;
  return std::make_unique<Impl::InstanceAnswers>(*impl_, instance, entering);
}

} // namespace heddle::analysis
