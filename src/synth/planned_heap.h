#pragma once

#include "synth/plan.h"
#include "synth/racing_pairs.h"

#include <map>
#include <optional>
#include <utility>

namespace heddle::synth {

/// What the two threads of a plan would share: each collection's objects are distinct from those
/// of all others, unless they are global; the steps of the set-up are applied by their summaries.
/// This decides whether a context does what it was derived for, also when a step undoes what an
/// earlier one did.
class PlannedHeap {
public:
  enum class ObjectId : uint32_t { Null = 0 };

  PlannedHeap(const SeedTrace& trace, const std::vector<CallSummary>& calls, const Plan& plan);

  /// The object that an access of a side would touch.
  ObjectId object(size_t side, const AccessPath& path);
  /// A lock as (object, member); each lock of an object that only the side has is another one.
  std::pair<ObjectId, std::string> lock(size_t side, const HeldLock& held);

private:
  struct Node {
    uint32_t collection = 0;         ///< index; of what was recorded
    Address address = Address::Null; ///< Null: nothing is recorded of it
  };
  struct Frame {
    std::vector<ObjectId> arguments;
    std::map<uint32_t, ObjectId> fresh;
  };

  ObjectId collected(uint32_t collection, Address address);
  ObjectId global(uint32_t index);
  ObjectId make() { return make(Node{}); }
  ObjectId make(Node node);
  ObjectId follow(ObjectId object, const std::string& edge);
  ObjectId operand(const Operand& operand);
  ObjectId copyOf(ObjectId object);
  Frame enter(const PlannedCall& call);
  ObjectId evaluate(Frame& frame, const AccessPath& path);
  void apply(const PlannedCall& call);
  ObjectId resultOf(const CallSummary& call, Frame& frame,
                    const std::vector<std::pair<AccessPath, ObjectId>>& placed);
  void findGlobalObjects();

  const SeedTrace& trace_;
  const std::vector<CallSummary>& calls_;
  const Plan& plan_;
  std::vector<Node> nodes_{Node{}};
  std::map<std::pair<uint32_t, Address>, ObjectId> collected_;
  std::map<uint32_t, ObjectId> globals_;
  std::map<std::pair<ObjectId, std::string>, ObjectId> edges_;
  std::map<Address, std::pair<uint32_t, std::string>> globalObjects_; ///< what a global leads to
  std::map<Address, ObjectId> unknownLocks_;
  std::vector<ObjectId> made_; ///< per step
  std::vector<Frame> sides_;
};

/// Whether a plan lets the pair happen.
struct PlanVerdict {
  bool shares = false;                  ///< both accesses touch one object
  std::vector<std::string> commonLocks; ///< that exclude each other; empty: nothing protects it
  bool isRace() const { return shares && commonLocks.empty(); }
};

PlanVerdict judgePlan(const SeedTrace& trace, const std::vector<CallSummary>& calls,
                      const Plan& plan, const RacingPair& pair);

} // namespace heddle::synth
