#pragma once

#include "strategy.h"

namespace heddle {

/// When random strategies let a timed wait expire early or a condition variable wake spuriously:
/// one time in eight that it could, and only so often in a run, because a program that answers
/// every early wake-up by waiting again would otherwise never get anywhere.
class EarlyWakes {
public:
  static constexpr uint32_t kOneIn = 8;
  static constexpr uint32_t kMaxInARun = 16;

  void beginRun() { left_ = kMaxInARun; }
  bool draw(Random& random) {
    if (left_ == 0 || random.below(kOneIn) != 0)
      return false;
    --left_;
    return true;
  }

private:
  uint32_t left_ = kMaxInARun;
};

} // namespace heddle
