#include "static/sharing/freshness.h"

#include "static/ir/standard_library.h"
#include "static/points_to/summary_solver.h"
#include "static/sharing/freshness_flow.h"
#include "static/sharing/owner_counts.h"

using namespace llvm;

namespace heddle::analysis {
struct Freshness::Impl {
  Impl(const CallGraph& graph, const Escape& escape, Paths& paths)
      : graph(graph), pointsTo(graph.pointsTo()), context{graph, escape, paths} {}

  using InstanceFlow = Flow<FreshnessState, FreshnessFlow>;

  static FreshnessState entryState(const FunctionConstraints& body, FreshParameters entering) {
    FreshnessState state;
    for (const Argument& argument : body.function->args()) {
      unsigned i = argument.getArgNo();
      if (i >= kMaxFreshParameters || !(entering.fresh & 1u << i))
        continue;
      FreshRoot root;
      root.pure = entering.pure & 1u << i;
      state[&argument] = root;
    }
    return state;
  }

  void findSummaries() {
    settled = SummarySolver(graph).solve(allInstances(graph),
                                         [&](InstanceId id) { return findSummary(id); });
  }

  bool findSummary(InstanceId id) {
    const FunctionConstraints& body = *pointsTo.instance(id).body;
    FreshnessSummary found;
    found.from.assign(std::min<size_t>(body.function->arg_size(), kMaxFreshParameters), 0);
    FreshnessFlow analysis{context, id, body, &found};
    FreshParameters all{~0u, ~0u};
    InstanceFlow flow(*body.function, entryState(body, all), analysis);
    bool returns = false;
    found.returnsFresh = body.function->getReturnType()->isPointerTy();
    for (const BasicBlock& block : *body.function) {
      auto* end = dyn_cast<ReturnInst>(block.getTerminator());
      const FreshnessState* start = flow.at(block);
      if (!end || !start)
        continue;
      returns = true;
      FreshnessState state = *start;
      for (const Instruction& instruction : block)
        analysis.step(state, instruction);
      for (const Argument& argument : body.function->args())
        if (argument.getType()->isPointerTy() && argument.getArgNo() < kMaxFreshParameters &&
            state.find(&argument) == state.end())
          found.published |= 1u << argument.getArgNo();
      if (found.returnsFresh) {
        const Value* root = analysis.rootOf(end->getReturnValue());
        found.returnsFresh = root && !isa<Argument>(root) && !isa<AllocaInst>(root) &&
                             state.find(root) != state.end();
        if (found.returnsFresh)
          found.inResult |= FreshnessFlow::sourcesOf(state, root, /*foreign=*/true, nullptr);
      }
    }
    if (!returns)
      found.returnsFresh = false;
    auto [entry, isNew] = context.summaries.try_emplace(raw(id), found);
    if (!isNew && entry->second == found)
      return false;
    entry->second = found;
    return true;
  }

  class InstanceAnswers : public Answers {
  public:
    InstanceAnswers(const Impl& impl, InstanceId id, FreshParameters entering)
        : last_(entering.last), owned_(entering.owned),
          analysis_{impl.context, id, *impl.pointsTo.instance(id).body},
          flow_(*analysis_.body.function, Impl::entryState(analysis_.body, entering), analysis_) {}

    bool isFresh(const Instruction& at, const Value* address) override {
      if (owned_)
        return true;
      const FreshnessState* state = before(at);
      PathId path = analysis_.context.paths.of(address);
      const Value* root = analysis_.context.paths.rootOf(path);
      if (!state || !root)
        return false;
      auto found = state->find(root);
      if (found == state->end())
        return false;
      return found->second.pure || !analysis_.context.paths.hasLoad(path);
    }

    FreshParameters atCall(const CallBase& call, const FunctionConstraints& callee) override {
      if (isLastOwners(callee.function->getName()))
        return {1u, 1u, true};
      FreshParameters result;
      const FreshnessState* state = before(call);
      if (!state)
        return result;
      FreshnessState begun;
      if (const AllocaInst* made = madeBy(call)) {
        begun = *state;
        begun[made] = {};
        state = &begun;
      }
      unsigned count = std::min<unsigned>(
          {call.arg_size(), kMaxFreshParameters, static_cast<unsigned>(callee.parameters.size())});
      for (unsigned i = 0; i < count; ++i) {
        const Value* argument = call.getArgOperand(i);
        if (!argument->getType()->isPointerTy())
          continue;
        PathId path = analysis_.context.paths.of(argument);
        auto found = state->find(analysis_.context.paths.rootOf(path));
        if (found == state->end())
          continue;
        bool pure = found->second.pure;
        if (pure || !analysis_.context.paths.hasLoad(path))
          result.fresh |= 1u << i;
        if (pure)
          result.pure |= 1u << i;
      }
      result.last = last_ || isLast(*state, call, callee.receiver);
      if (result.last)
        destroy(*callee.function, callee.receiver, result);
      return result;
    }

  private:
    bool isLast(const FreshnessState& state, const CallBase& call, uint32_t receiver) const {
      if (receiver >= call.arg_size() || !call.getArgOperand(receiver)->getType()->isPointerTy())
        return false;
      auto found = state.find(analysis_.rootOf(call.getArgOperand(receiver)));
      return found != state.end() && found->second.last;
    }

    /// The owners' object itself is theirs alone, not what the program's own destructors find
    /// behind its pointers; a library's containers own what they point to, and so what they
    /// destroy.
    void destroy(const Function& callee, uint32_t receiver, FreshParameters& result) const {
      if (owned_ && isDestructor(callee.getName()))
        result.fresh |= 1u << receiver;
      bool fresh = result.fresh & (1u << receiver);
      if (!isLibrary(callee))
        result.pure = 0;
      else
        result.owned = owned_ || (fresh && isDestructor(callee.getName()));
    }

    const FreshnessState* before(const Instruction& at) {
      if (at.getParent() != block_) {
        block_ = at.getParent();
        states_.clear();
        if (const FreshnessState* start = flow_.at(*block_)) {
          FreshnessState state = *start;
          for (const Instruction& instruction : *block_) {
            if (instruction.mayReadOrWriteMemory())
              states_[&instruction] = state;
            analysis_.step(state, instruction);
          }
        }
      }
      auto found = states_.find(&at);
      return found == states_.end() ? nullptr : &found->second;
    }

    bool last_, owned_;
    FreshnessFlow analysis_;
    InstanceFlow flow_;
    const BasicBlock* block_ = nullptr;
    DenseMap<const Instruction*, FreshnessState> states_;
  };

  const CallGraph& graph;
  const PointsTo& pointsTo;
  FreshnessContext context;
  bool settled = false;
};

Freshness::Freshness(const CallGraph& graph, const Escape& escape, Paths& paths)
    : impl_(std::make_unique<Impl>(graph, escape, paths)) {
  impl_->findSummaries();
}

Freshness::~Freshness() = default;

bool Freshness::isSettled() const { return impl_->settled; }

std::unique_ptr<Freshness::Answers> Freshness::of(InstanceId instance,
                                                  FreshParameters entering) const {
  return std::make_unique<Impl::InstanceAnswers>(*impl_, instance, entering);
}

} // namespace heddle::analysis
