#pragma once

#include "model/event.h"
#include "predict/callers.h"
#include "predict/shadow_memory.h"
#include "predict/sync_order.h"

#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

/// One side of a predicted race, as the trace had it.
struct RaceAccess {
  SiteId site = SiteId::None;
  SiteId caller = SiteId::None; ///< of a site in library code: who calls it, in the program's own
  uint32_t thread = 0;
  uint32_t occurrence = 0; ///< which time of the thread at this site and caller, from 1
  bool write = false;
  bool atomic = false;
  std::vector<LockHold> locks;
};

/// None: there was no such call.
struct UnseenOrder {
  SiteId release = SiteId::None;
  SiteId acquire = SiteId::None;

  bool isPossible() const { return release != SiteId::None && acquire != SiteId::None; }
};

/// Two sites whose executions could meet at one address: a candidate.
struct RacePair {
  RaceAccess first; ///< the lower site and caller; of equal ones the earlier access
  RaceAccess second;
  uint64_t address = 0;       ///< of the example
  bool firstIsEarlier = true; ///< in the example
  /// How many different accesses (by thread, locks, cell ...) showed the pair: those that differ in
  /// time only count once for each kind of order.
  uint64_t count = 0;
  uint64_t position = 0; ///< of the example's later access among all events, from 1
  /// Some example was ordered by nothing at all, not even by the hand-over of a lock or an atomic.
  bool unordered = false;
  /// Of examples that atomics ordered in the run, but with memory orders that promise nothing: the
  /// operations at fault that all of them share. Empty where an order is proper.
  std::vector<WeakOrder> weakOrders;
  uint32_t weakExamples = 0; ///< that were looked at
  /// Calls of code that heddle does not see, of the best example: the earlier thread's last one,
  /// made after its access, and the later thread's last one before its own. They may order the two.
  UnseenOrder unseen;
};

/// Hybrid race detection (O'Callahan and Choi, as phase 1 of RaceFuzzer): pairs of accesses to a
/// common byte by different threads, of which one writes, that share no lock and that no start,
/// join, notification, barrier, semaphore or once orders. Atomic accesses do not race with each
/// other. Freeing a block writes all of it.
///
/// Works on the stream of a trace; memory depends on the memory that the program uses and on its
/// sites, not on the length of the trace.
class RacePrediction {
public:
  void add(std::span<const Event> events);

  /// The pairs found so far; those that were seen unordered come first, then by count.
  std::vector<RacePair> pairs() const;
  /// How often two accesses were compared: what the analysis costs beside the trace's length.
  uint64_t comparisons() const { return comparisons_; }

private:
  /// What is known of two records of a cell after they were compared.
  enum class Comparison {
    Open,      ///< ordered this time: a later access may not be
    Predicted, ///< a pair, but something ordered it so far
    Settled, ///< they can never race, or are a pair that nothing orders: there is no more to learn
  };

  void add(const Event& event);
  void end(const Event& event);
  AccessRecord recordOf(const Event& event, bool write, bool atomic);
  void access(const Event& event, bool write, bool atomic);
  void touch(Cell& cell, AccessRecord record, uint64_t address);
  /// Compares with all records of the cell that are not settled.
  void compareWithOthers(Cell& cell, AccessRecord& record, uint64_t address);
  Comparison compare(const AccessRecord& earlier, const AccessRecord& now, bool predicted,
                     uint64_t address);
  void lookForWeakOrder(RacePair& pair, const AccessRecord& earlier, const AccessRecord& now);
  uint32_t nextOccurrence(const AccessRecord& record);
  RaceAccess describe(const AccessRecord& record);
  UnseenOrder unseenBetween(const AccessRecord& earlier, const AccessRecord& now);

  uint64_t events_ = 0;
  uint64_t comparisons_ = 0;
  SyncOrder order_;
  ShadowMemory memory_;
  Callers callers_;
  /// Calls of unseen code by a thread.
  struct UnseenCalls {
    uint32_t count = 0;
    SiteId last = SiteId::None;
  };
  UnseenCalls& unseenCalls(uint32_t thread);
  std::vector<UnseenCalls> unseenCalls_;
  std::unordered_map<uint64_t, uint32_t> occurrences_; ///< by thread, site and caller
  using Side = std::pair<SiteId, SiteId>;              ///< site, caller
  std::map<std::pair<Side, Side>, RacePair> pairs_;
};

} // namespace heddle
