#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace heddle {

/// Reduces what is known to what the new evidence says too; both are sorted. Evidence that has
/// nothing in common with what is known does not change it, and where nothing is known it is new.
template <typename T> void keepCommon(std::vector<T>& known, std::vector<T> evidence) {
  if (known.empty()) {
    known = std::move(evidence);
    return;
  }
  std::vector<T> common;
  std::set_intersection(known.begin(), known.end(), evidence.begin(), evidence.end(),
                        std::back_inserter(common));
  if (!common.empty())
    known = std::move(common);
}

} // namespace heddle
