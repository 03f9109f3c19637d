#pragma once

#include "model/event.h"
#include "predict/callers.h"
#include "predict/sync_order.h"

#include <set>
#include <span>
#include <vector>

namespace heddle {

/// A thread asks for a lock while it holds another one.
struct LockEdge {
  uint32_t thread = 0;
  uint64_t held = 0;
  uint64_t wanted = 0;
  SiteId heldSite = SiteId::None;   ///< where `held` was taken
  SiteId site = SiteId::None;       ///< where `wanted` is asked for
  SiteId heldCaller = SiteId::None; ///< where library code was called that took `held`
  SiteId caller = SiteId::None;     ///< where library code is called that asks for `wanted`
};

/// Locks that threads ask for in a circle: each edge wants what the next one holds.
struct LockCycle {
  std::vector<LockEdge> edges;
};

/// Lock-order cycles of a trace that another interleaving could close (Goodlock, with the rules
/// that remove what cannot happen): the edges are of different threads; no two of them hold a
/// common lock (a gate lock); and no edge is ordered before another by start, join, notification,
/// barrier, semaphore or once. A try does not wait, so it asks for nothing.
class LockCycles {
public:
  static constexpr size_t kMaxEdges = 16; ///< of a cycle

  void add(std::span<const Event> events);
  /// Each cycle once, whatever thread it is begun with; cycles at the same sites are one.
  std::vector<LockCycle> cycles();

private:
  struct Holding {
    uint64_t lock;
    SiteId site;
    SiteId caller;
  };
  struct Request {
    LockEdge edge; ///< `held` and `heldSite` are open: any lock of `locks` may close a cycle
    LockSetId locks;
    std::vector<Holding> held;
    uint32_t time;
    VectorClock must;
  };

  void add(const Event& event);
  void request(const Event& event);
  std::vector<Holding>& holdings(uint32_t thread);
  bool canMeet(const Request& one, const Request& other);
  void extend(std::vector<const Request*>& path, std::vector<LockCycle>& found);
  void keep(const std::vector<const Request*>& path, std::vector<LockCycle>& found);

  SyncOrder order_;
  Callers callers_;
  std::vector<std::vector<Holding>> holdings_;
  std::vector<Request> requests_;
  std::set<std::vector<uint64_t>> known_; ///< requests, without their time
  std::set<std::vector<uint64_t>> reported_;
  uint64_t work_ = 0; ///< requests looked at, for the limit of cycles()
};

} // namespace heddle
