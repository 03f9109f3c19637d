#pragma once

#include "strategy.h"

namespace heddle {

/// What only strategies need that look for something: the runtime, which knows addresses and locks,
/// watches the plan's target and tells them how far it has come.
class DirectedStrategy {
public:
  /// `thread` is about to execute an operation of the target (pending.roles), or has done so and is
  /// about to tell others (no roles), and nobody is there with whom the target would be triggered.
  /// A decision follows.
  virtual void arrived(ThreadView& thread) { (void)thread; }
  /// The target was triggered: these threads are about to execute it, the first one has arrived
  /// just now; of a race one without roles has executed its part. A decision follows.
  virtual void met(ThreadView* const* threads, uint32_t count) { (void)threads, (void)count; }
  /// `thread` has come to a place, after its part of a pattern and before the next one, at which
  /// it holds no lock that the other unit needs; as u (0) or u' (1). A decision follows.
  virtual void inWindow(ThreadView& thread, uint32_t unit) { (void)thread, (void)unit; }
  /// A step of the pattern that `first` has begun was executed. `next` is who has to make the next
  /// one, null if that is anybody.
  virtual void advanced(ThreadView& first, ThreadView* next) { (void)first, (void)next; }
  /// Threads that were let go in this run only because nobody else could run.
  virtual uint32_t thrashings() const { return 0; }
  /// How often a strategy that looks for something itself has seen it; counts as meetings.
  virtual uint32_t sightings() const { return 0; }

protected:
  ~DirectedStrategy() = default;
};

} // namespace heddle
