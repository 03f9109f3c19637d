#pragma once

#include "model/event.h"
#include "model/ids.h"
#include "predict/clocks.h"

#include <compare>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace heddle {

/// An atomic operation as the program's source has it.
struct AtomicOperation {
  SiteId site = SiteId::None;
  SiteId caller = SiteId::None; ///< of library code, as that of std::atomic
  MemoryOrder order = MemoryOrder::Unknown;
  bool update = false; ///< reads and writes

  auto operator<=>(const AtomicOperation&) const = default;
};

/// Why an order that a run showed is none by the rules of the language: one thread wrote an atomic
/// object and another one read what it wrote, but one of the two, or both, did so with an order
/// that says nothing about other memory.
struct WeakOrder {
  AtomicOperation store;
  AtomicOperation load;
  bool storeLacks = false; ///< to release
  bool loadLacks = false;  ///< to acquire

  auto operator<=>(const WeakOrder&) const = default;
};

/// The atomic operations of a trace. Makes order in the `seen` clocks whatever the memory orders
/// are, and in the `proper` ones where C++20 says so ([intro.races], [atomics.order],
/// [atomics.fences]): from a release to an acquire that reads from the release sequence which it
/// heads, that is from it or from a chain of read-modify-writes after it; a fence makes a release
/// of the thread's later writes, and an acquire of its earlier reads. Sequentially consistent
/// operations are releases and acquires here: their total order adds nothing to happens-before.
class AtomicOrder {
public:
  /// The thread reads what was last written; an update reads before it writes.
  void read(uint32_t thread, Clocks& own, const AtomicOperation& operation, uint64_t address);
  void write(uint32_t thread, Clocks& own, const AtomicOperation& operation, uint64_t address);
  void fence(uint32_t thread, Clocks& own, MemoryOrder order);
  /// The thread does nothing any more.
  void endThread(uint32_t thread);
  /// The memory has become another object: nobody has written what it holds now.
  void forget(uint64_t address, uint64_t bytes);

  /// The operations through which `observer`, whose clock is given, has seen what `thread` did at
  /// that time, although they do not order it properly. Sorted, each once. Empty where nothing but
  /// an order is missing that memory orders could give.
  std::vector<WeakOrder> weakOrders(uint32_t thread, uint32_t time,
                                    const VectorClock& observer) const;

private:
  /// What a write told whoever reads it.
  struct Write {
    uint32_t thread = 0;
    AtomicOperation operation;
    VectorClock seen;   ///< of its thread
    VectorClock proper; ///< of its thread
    VectorClock told;   ///< to who acquires it
  };
  struct Object {
    VectorClock seen;            ///< of all that wrote it
    VectorClock proper;          ///< of the release sequence that its value ends
    std::vector<Write> sequence; ///< that one's last writes, of different threads
    uint64_t version = 0;        ///< number of the operation that wrote it last
  };
  struct Thread {
    VectorClock released;   ///< as of its last release fence
    VectorClock toAcquire;  ///< what its next acquire fence learns
    uint64_t lastFence = 0; ///< number of the operation
    /// The version and reading site of each object that it knows.
    std::unordered_map<uint64_t, std::pair<uint64_t, SiteId>> known;
  };
  /// A read without proper order, of a write.
  struct WeakRead {
    Write write;
    uint32_t readerTime = 0; ///< in `seen`
    uint64_t number = 0;     ///< of the operation
  };
  /// Reader, its operation, and the write's.
  using WeakPlace = std::tuple<uint32_t, AtomicOperation, AtomicOperation>;

  Thread& state(uint32_t thread);
  void noteWeakReads(uint32_t thread, uint32_t time, const AtomicOperation& load,
                     const Object& object);

  std::vector<Thread> threads_;
  std::map<uint64_t, Object> objects_;                   ///< by address
  std::map<WeakPlace, std::vector<WeakRead>> weakReads_; ///< the last ones of each place
  uint64_t operations_ = 0;                              ///< so far
};

} // namespace heddle
