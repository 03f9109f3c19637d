#pragma once

#include "predict/unit_accesses.h"

#include <cstdint>

namespace heddle {

/// Which orders of the accesses of two units u and u' some interleaving of a trace could have: the
/// order that no interleaving changes and the locks decide. AtomicityPrediction has the conditions.
/// i and j are accesses of u, k and l of u', both in their own order.
class PossibleOrders {
public:
  explicit PossibleOrders(const UnitTrace& trace) : trace_(trace) {}

  /// The access that orders u' from now on, where another thread is to do the same; null: its own.
  void setStandIn(const UnitAccess* access) { standIn_ = access; }

  /// i k l j, where k may be l.
  bool canEnclose(const UnitAccess& i, const UnitAccess& j, const UnitAccess& k,
                  const UnitAccess& l) const;
  /// i k j l.
  bool canInterleave(const UnitAccess& i, const UnitAccess& j, const UnitAccess& k,
                     const UnitAccess& l) const;
  /// Whether the memory was freed between the two: they are not to the same object then.
  bool isFreedBetween(const UnitAccess& one, const UnitAccess& other) const;
  /// Of the locks that are held at an access those (bits) that the other unit needs on its way from
  /// its entry to `last`.
  uint32_t neededLocks(const UnitAccess& held, const UnitAccess& first,
                       const UnitAccess& last) const;

private:
  bool mustPrecede(const UnitAccess& one, const UnitAccess& other) const;
  const std::vector<HeldInstance>& locks(const UnitAccess& access) const {
    return trace_.lockStates[access.locks];
  }
  /// Whether the thread acquires the lock after the first position and up to the second one.
  bool acquires(uint32_t thread, uint64_t after, uint64_t until, const HeldInstance& lock) const;
  /// Whether a lock that a unit holds from `begin` to `end` without a break keeps `inside` out.
  bool isExcluded(const UnitAccess& begin, const UnitAccess& end, const UnitAccess& inside) const;
  /// The same for a way from `first` to `last`: it must not acquire such a lock.
  bool isBarred(const UnitAccess& begin, const UnitAccess& end, const UnitAccess& first,
                const UnitAccess& last) const;
  /// What orders an access of u': that of the thread that would make it.
  const UnitAccess& ofOther(const UnitAccess& access) const {
    return standIn_ ? *standIn_ : access;
  }

  const UnitTrace& trace_;
  const UnitAccess* standIn_ = nullptr;
};

} // namespace heddle
