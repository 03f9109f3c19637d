#pragma once

#include "model/event.h"
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
  SiteId heldSite = SiteId::None; ///< where `held` was taken
  SiteId site = SiteId::None;     ///< where `wanted` is asked for
};

/// Locks that threads ask for in a circle: each edge wants what the next one holds.
struct LockCycle {
  std::vector<LockEdge> edges;
};

/// Lock-order cycles of a trace that another interleaving could close (Goodlock, with the rules
/// that remove what can not happen): the edges are of different threads; no two of them hold a
/// common lock (a gate lock); and no edge is ordered before another by start, join, notification,
/// barrier, semaphore or once. A try does not wait, so it asks for nothing.
class LockCycles {
public:
  static constexpr size_t kMostEdges = 4; ///< of a cycle

  void add(std::span<const Event> events);
  /// Each cycle once, whatever thread it is begun with; cycles at the same sites are one.
  std::vector<LockCycle> cycles();

private:
  struct Request {
    LockEdge edge; ///< `held` and `heldSite` are open: any lock of `locks` may close a cycle
    LockSetId locks;
    std::vector<std::pair<uint64_t, SiteId>> held;
    uint32_t time;
    VectorClock must;
  };
  struct Holding {
    uint64_t lock;
    SiteId site;
  };

  void add(const Event& event);
  void request(const Event& event);
  std::vector<Holding>& holdings(uint32_t thread);
  bool canMeet(const Request& one, const Request& other);
  void extend(std::vector<const Request*>& path, std::vector<LockCycle>& found);
  void keep(const std::vector<const Request*>& path, std::vector<LockCycle>& found);

  SyncOrder order_;
  std::vector<std::vector<Holding>> holdings_;
  std::vector<Request> requests_;
  std::set<std::vector<uint64_t>> known_; ///< requests, without their time
  std::set<std::vector<uint32_t>> reported_;
};

} // namespace heddle
