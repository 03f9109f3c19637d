#pragma once

#include "static/ir/paths.h"
#include "static/sharing/escape.h"

namespace heddle::analysis {

/// How a function came to an address, where the object has one owner at a time:
/// what a unique_ptr, a container or a std::function keeps on the heap.
enum class Owned : uint8_t {
  No,     ///< by other means, or too long ago
  Tied,   ///< read from the owner, and the thread has told nobody anything since
  Loose,  ///< the same, from an owner that no other thread gets at
  Steady, ///< from one that no other thread gets at, and that has not changed
          ///< since
};

/// Which places are owners, by what the points-to sets and debug information
/// say, and who else can get at an address.
class Owners {
public:
  Owners(const CallGraph& graph, const Escape& escape, Paths& paths);

  bool isOwner(InstanceId id, const llvm::Value* address, bool all) const;
  /// Whether only who was given the address can get at it.
  bool isPrivate(InstanceId id, const llvm::Value* address) const;
  bool isShared(InstanceId id, const llvm::Value* address) const;
  /// The value that an address is in the object of, without loads: a parameter,
  /// a local variable, what was loaded or returned.
  const llvm::Value* carrier(const llvm::Value* value) const;
  /// Whether another parameter may lead to the same object.
  bool isAliased(InstanceId id, const llvm::Value* holder) const;
  /// Whether the two may lead to one object; of large sets it is not asked.
  bool meetIn(InstanceId id, const llvm::Value& one, const llvm::Value& other) const;

private:
  /// Whether the place belongs to an owner: a unique_ptr, a container.
  bool isOwner(LocationId id) const;
  bool isText(const Object& object, uint64_t offset) const;
  /// Objects whose address is kept somewhere in memory.
  void findKept();
  bool findPrivate(InstanceId id, const llvm::Value* address) const;
  const llvm::Value* findCarrier(const llvm::Value* value) const;
  /// Where a pointer starts that walks through an object; null: not in one
  /// place.
  static const llvm::Value* startOf(const llvm::PHINode& phi);
  bool findAliased(InstanceId id, const llvm::Argument* parameter) const;

  const PointsTo& pointsTo_;
  const Escape& escape_;
  Paths& paths_;
  llvm::BitVector kept_;
  mutable TypeLayouts layouts_;
  mutable llvm::DenseMap<uint32_t, bool> owners_;
  using Key = std::pair<uint32_t, const llvm::Value*>;          ///< an instance's value
  mutable llvm::DenseMap<Key, std::pair<bool, bool>> ownersAt_; ///< some of its places are, all are
  mutable llvm::DenseMap<Key, bool> private_, aliased_;
  mutable llvm::DenseMap<const llvm::Value*, const llvm::Value*> carriers_;
};

} // namespace heddle::analysis
