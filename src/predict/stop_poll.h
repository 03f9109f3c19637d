#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace heddle {

/// Asked from time to time; true ends an analysis with what it has.
using MustStop = std::function<bool()>;

/// Asks whether to stop, but only after some work: the question may cost more than a piece of it.
/// Every loop whose length follows from the trace asks, so that no stage works on after the time is
/// over. Once the answer was yes it stays so.
class StopPoll {
public:
  explicit StopPoll(MustStop mustStop) : mustStop_(std::move(mustStop)) {}

  /// Whether to stop; so many pieces of work have been done since the last call. A piece is about
  /// what a look-up in a map costs.
  bool operator()(uint64_t work = 1) {
    open_ += work;
    if (stopped_ || open_ < kWorkBetween)
      return stopped_;
    open_ = 0;
    return stopped_ = mustStop_ && mustStop_();
  }

private:
  /// Some hundred microseconds.
  static constexpr uint64_t kWorkBetween = 4096;

  MustStop mustStop_;
  uint64_t open_ = kWorkBetween; ///< the first call asks
  bool stopped_ = false;
};

} // namespace heddle
