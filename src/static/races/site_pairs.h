#pragma once

#include "static/program/sites.h"

#include "llvm/ADT/DenseSet.h"

namespace heddle::analysis {

/// Pairs of sites, each once; beyond a number of them only how many there were.
struct SitePairs {
  llvm::DenseSet<uint64_t> known;
  uint64_t further = 0;

  void add(uint32_t one, uint32_t other);
  uint64_t size() const { return known.size() + further; }
};

/// Pairs of which one writes and that name the same member or variable, or could: what is reached
/// by a pointer alone can be anything.
uint64_t pairsByName(const Sites& sites, const std::vector<uint32_t>& which);

} // namespace heddle::analysis
