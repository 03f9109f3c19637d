#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

/// Decides who gets the next turn by what the turns have given lately, and now and then tries those
/// of which little is known: discounted UCB of Garivier, Moulines: On Upper-Confidence Bound
/// Policies for Switching Bandit Problems, ALT 2011. Early turns count less and less, because what
/// a way of searching gives changes while the search goes on. No randomness: the same turns lead to
/// the same choice.
class Bandit {
public:
  explicit Bandit(size_t arms) : arms_(arms) {}

  /// Who is next among those that may be; those that had no turn yet come first, in their order.
  /// Somebody must be allowed.
  size_t choose(const std::vector<bool>& allowed) const;
  /// What a turn gave: from 0, nothing, to 1.
  void note(size_t arm, double reward);

private:
  struct Arm {
    double turns = 0; ///< discounted
    double rewards = 0;
  };
  std::vector<Arm> arms_;
};

} // namespace heddle
