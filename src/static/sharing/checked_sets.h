#pragma once

#include "static/points_to/call_graph.h"

#include "llvm/ADT/BitVector.h"

namespace heddle::analysis {

/// The points-to sets as a proposal that is being checked:
///  - an *unknown* value may point anywhere; what it can point to by the sets has escaped
///  - a *loose* value points into the objects that the sets say, anywhere in them
///  - an *escaped* object may be known to other threads, with all that it leads to
///  - a *clouded* place may hold addresses that the sets do not have there.
/// Whatever is not one of these is as the sets say.
class CheckedSets {
public:
  explicit CheckedSets(const PointsTo& pointsTo);

  struct Known {
    bool unknown = false;
    bool loose = false;
    std::span<const uint32_t> pointees = {};
  };

  /// Whether the address can only be in memory of the thread that has it.
  bool isOwn(InstanceId instance, const llvm::Value& address) const;

  Known of(InstanceId instance, Operand operand) const;

  Known of(InstanceId instance, const llvm::Value* value) const;

  ObjectId objectAt(uint32_t location) const {
    return pointsTo_.location(static_cast<LocationId>(location)).object;
  }

  void markUnknown(InstanceId instance, Operand operand);
  void markLoose(InstanceId instance, Operand operand);

  /// The value is passed on to a variable whose set must have all of it.
  void pass(const Known& value, InstanceId to, Operand target);

  /// What was left out of a set is lost from sight.
  void receive(std::span<const uint32_t> given, InstanceId to, Operand target,
               std::span<const uint32_t> taken);

  bool isMemory(ObjectId id) const;
  /// Whether addresses are kept in the object.
  bool isFilled(ObjectId object) const;

  void escape(ObjectId first);
  void escapeAll(std::span<const uint32_t> locations);
  void escapeContents(ObjectId object);

  void cloud(ObjectId object) { set(cloudedObjects_, raw(object)); }
  void cloud(uint32_t location);
  bool isClouded(uint32_t location) const;
  void cloudAll(const Known& address);

  bool isEscaped(ObjectId object) const { return escaped_.test(raw(object)); }
  /// An allocator returns it: it is not the allocator's own.
  void handOut(ObjectId object) { set(handedOut_, raw(object)); }
  /// Something else has changed that answers depend on.
  void noteChange() { changed_ = true; }
  /// Whether something has changed since it was asked last.
  bool takeChange() { return std::exchange(changed_, false); }

private:
  void set(llvm::BitVector& bits, uint32_t index);

  const PointsTo& pointsTo_;
  llvm::BitVector unknown_, loose_;              ///< by node
  llvm::BitVector escaped_, cloudedObjects_;     ///< by object
  llvm::BitVector handedOut_;                    ///< by object: by an allocator
  llvm::BitVector cloudedPlaces_;                ///< by location
  std::vector<std::vector<uint32_t>> cloudedOf_; ///< by object
  bool changed_ = false;
};

} // namespace heddle::analysis
