#include "pipeline/stages/bandit.h"

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

/// What a turn counts for when there was one more: that of ten turns ago a third.
constexpr double kDiscount = 0.9;
/// The paper's 4 B^2 xi, with rewards up to B = 1 and xi = 1/2: how much is tried of what little is
/// known.
constexpr double kCuriosity = 2;

} // namespace

size_t Bandit::choose(const std::vector<bool>& allowed) const {
  double all = 0;
  for (const Arm& arm : arms_)
    all += arm.turns;
  size_t best = arms_.size();
  double most = 0;
  for (size_t i = 0; i < arms_.size(); ++i) {
    const Arm& arm = arms_[i];
    if (!allowed[i])
      continue;
    if (arm.turns == 0)
      return i;
    double index =
        arm.rewards / arm.turns + std::sqrt(kCuriosity * std::log(std::max(all, 1.0)) / arm.turns);
    if (best == arms_.size() || index > most) {
      best = i;
      most = index;
    }
  }
  return best;
}

void Bandit::note(size_t arm, double reward) {
  for (Arm& other : arms_) {
    other.turns *= kDiscount;
    other.rewards *= kDiscount;
  }
  arms_[arm].turns += 1;
  arms_[arm].rewards += std::clamp(reward, 0.0, 1.0);
}

} // namespace heddle
