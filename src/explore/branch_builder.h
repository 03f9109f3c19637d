#pragma once

#include "linear_order.h"

namespace heddle::explore {

/// A step that is to happen otherwise than in the run: after another past, from other sources.
struct ChangedStep {
  Event event; ///< `past` is the new one; `data[].source` are event ids, of other changed steps
               ///< kChanged - their place in the list
};

inline constexpr EventId kChanged = -2;

/// Whether a compare-exchange with these sources finds what it expects, as far as values are known.
enum class Outcome : uint8_t { Succeeds, Fails, Unknown };

/// Makes branches out of a run: some of its steps, which are kept, and at most two that are
/// changed.
class BranchBuilder {
public:
  BranchBuilder(const Execution& execution, Equivalence equivalence)
      : execution_(execution), equivalence_(equivalence) {}

  /// One branch for each class that the kept and the changed steps can be part of, given the
  /// sources of the changed ones: none if there is no such run; with value schedules one for each
  /// order of the writes. The new stage comes after the first `stages` stages of the run.
  /// `skipLast`: leave the one out in which the changed step comes after all writes.
  void build(size_t stages, const Steps& kept, const std::vector<ChangedStep>& changed,
             const Stage& stage, bool skipLast, std::vector<Branch>& out) const;

  /// The numbers of the kept steps' last writers of each cell, as event ids, in the order that is
  /// taken for `base` (by stage) and then `more` (by name).
  std::vector<EventId> lastWriters(const Steps& base, const Steps& more) const;

  Outcome outcomeOf(const Event& event, const std::vector<ChangedStep>& changed) const;

private:
  struct Ranked {
    uint32_t stage;
    StepName name;
    EventId event; ///< or kChanged - n
  };
  std::vector<Ranked> rank(const Steps& base, const Steps& kept, uint32_t stage,
                           const std::vector<ChangedStep>& changed) const;
  const Event& eventOf(EventId id, const std::vector<ChangedStep>& changed) const;
  LinearOrder orderOf(const std::vector<Ranked>& ranked,
                      const std::vector<ChangedStep>& changed) const;
  bool keepWrites(LinearOrder& order, const std::vector<Ranked>& ranked) const;
  void decideWrites(LinearOrder order, const std::vector<Ranked>& ranked,
                    std::vector<LinearOrder>& out) const;
  std::vector<LinearOrder> ordersOf(const std::vector<Ranked>& ranked,
                                    const std::vector<ChangedStep>& changed) const;
  bool isLast(const LinearOrder& order, const std::vector<Ranked>& ranked) const;
  std::optional<std::vector<uint32_t>> writeInstead(const LinearOrder& decided,
                                                    const std::vector<Ranked>& ranked,
                                                    std::vector<ChangedStep> changed) const;
  Branch branchOf(const std::vector<uint32_t>& sequence, const std::vector<Ranked>& ranked,
                  const std::vector<ChangedStep>& changed, size_t stages, const Stage& stage) const;
  std::optional<uint64_t> valueFrom(EventId source, const Event& reader,
                                    const std::vector<ChangedStep>& changed) const;
  std::optional<uint64_t> initialValue(const Event& reader) const;

  const Execution& execution_;
  Equivalence equivalence_;
};

} // namespace heddle::explore
