#pragma once

#include "synth/plan.h"
#include "synth/racing_pairs.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace heddle::synth {

/// Derives set-ups that bring one object to two places (section 3.3, figure 10, and algorithm 1):
/// SET and DEEP-SET are placements of recorded calls, CONCAT puts them together, a source that is
/// a member of a parameter asks again (figure 13). Constructors and functions that return an
/// object set as other calls do, but make the object anew, so they come last; then calls that have
/// to be held, then prefixes of the paths, of which more is shared than has to be.
///
/// What comes out are candidates, in order of preference; PlannedHeap says which of them hold.
class ContextDeriver {
public:
  static constexpr size_t kMaxPlans = 24;  ///< per pair
  static constexpr size_t kMaxNesting = 4; ///< calls that make what a call needs
  static constexpr size_t kMaxSteps = 8;

  ContextDeriver(const SeedTrace& trace, const std::vector<CallSummary>& calls);

  std::vector<Plan> derive(const RacingPair& pair) const;
  /// Why no call can bring an object to the place: in words, for the summary.
  std::string obstacle(const RaceSide& side) const;

private:
  struct Setter {
    CallId call;
    size_t placement;
    uint8_t rank; ///< 0 changes an object, 1 makes it, 2 has to be held
  };
  /// What a call has to be given so that it places the shared object.
  using Need = std::tuple<CallId, uint32_t, std::vector<std::string>>;
  struct Draft {
    Plan plan;
    std::optional<Operand> shared; ///< the object that both sides are to reach
    std::map<Need, std::pair<Operand, uint32_t>> sources; ///< and how many collections it took
    std::set<std::pair<CallId, size_t>> busy;             ///< setters that are being prepared
    uint32_t collections = 0;                             ///< as table 2 counts: merged ones too
  };
  struct Placed {
    Draft draft;
    Operand operand; ///< the object that the path starts from: maybe made by a step
  };
  using Edges = std::vector<std::string>;

  Draft begin(const RacingPair& pair) const;
  uint32_t collect(Draft& draft, CallId call) const;
  PlannedCall callOf(const Draft& draft, uint32_t collection) const;
  void bring(const RacingPair& pair, const AccessPath& one, const AccessPath& other,
             std::vector<Plan>& plans) const;
  void shareRoots(const RacingPair& pair, const AccessPath& one, const AccessPath& other,
                  std::vector<Plan>& plans) const;
  std::optional<Operand> findObject(const RaceSide& side, const AccessPath& path,
                                    uint32_t collection) const;
  void bringToOther(const RacingPair& pair, const AccessPath& one, const AccessPath& other,
                    std::vector<Plan>& plans) const;
  void shareByGetter(const RacingPair& pair, size_t holder, const AccessPath& held,
                     const AccessPath& root, std::vector<Plan>& plans) const;
  /// A replaceable object only has to be of its class: that of the setter's own call will do.
  std::vector<Placed> place(const Draft& draft, const Operand& object, const Edges& edges,
                            size_t depth, bool replaceable) const;
  std::vector<Placed> placeWith(const Draft& draft, const Operand& object, const Edges& edges,
                                const Setter& setter, size_t depth, bool replaceable) const;
  std::vector<Placed> prepareSource(const Draft& draft, uint32_t collection,
                                    const Placement& placement, const Edges& rest,
                                    size_t depth) const;
  std::vector<Setter> settersFor(const Draft& draft, const Operand& object,
                                 const Edges& edges) const;
  bool isUsable(const CallSummary& call, const Placement& placement, TypeId object) const;
  uint8_t rankOf(const CallSummary& call, const Placement& placement) const;
  Label holdingPoint(const CallSummary& call, const Placement& placement) const;
  bool accepts(const CallSummary& call, uint32_t argument, TypeId type) const;
  bool takesAlone(const CallSummary& call, uint32_t argument) const;
  bool isOwned(const CallSummary& call, const AccessPath& target) const;
  TypeId typeOf(const Draft& draft, const Operand& operand) const;
  void finish(Draft draft, std::vector<Plan>& plans) const;

  const SeedTrace& trace_;
  const std::vector<CallSummary>& calls_;
  std::set<std::pair<std::string, Edges>> owned_; ///< (class, edges) that its destructor frees
};

} // namespace heddle::synth
