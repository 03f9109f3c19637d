#pragma once

#include "model/candidate.h"
#include "store/store.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// What recordings of a program have shown beside its scheduling points: kept beside the store, so
/// that the next command on the same build and arguments need not record it again. Only a memory:
/// what is lost is recorded once more.
struct Learned {
  uint64_t recordings = 0;            ///< that were made in all commands so far
  std::vector<SiteIdentity> executed; ///< sorted
  std::vector<Candidate> candidates;  ///< races and cycles of locks, the most promising first
};

/// What is kept under this name; empty when there is nothing that this heddle can read.
std::optional<Learned> readLearned(const Store& store, const std::string& name);
/// Replaces it, as a whole or not at all.
Status writeLearned(const Store& store, const std::string& name, const Learned& learned);

} // namespace heddle
