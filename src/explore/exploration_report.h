#pragma once

#include "order_pairs.h"
#include "run_decoder.h"
#include "search.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace heddle::explore {

/// A failure that an exploration has come to.
struct FoundFailure {
  FailureKind kind = FailureKind::None;
  SiteIdentity site = SiteIdentity::None;
  uint64_t classes = 0;         ///< that fail in this way
  uint64_t firstRun = 0;        ///< the number of the first such run, from 1
  std::vector<Choice> schedule; ///< all steps of that run, but for those of a failure and of second
                                ///< halves: what a run without kPlanHalves follows to it
  std::vector<OrderedPair> pairs; ///< its value schedule
};

struct ExplorationReport {
  SearchCounters counters;
  uint64_t runs = 0;     ///< with those of searches that were begun anew
  uint64_t reopened = 0; ///< how often, because more turned out to be shared
  bool isFinished = false;
  std::set<std::string> caveats;
  std::vector<FoundFailure> failures;
  std::vector<uint64_t> sites; ///< that were points: identities, sorted
  std::vector<ThreadPath> threads;
  std::shared_ptr<const SiteCatalog> catalog; ///< names the sites of failures
  bool wasResumed = false;
};

} // namespace heddle::explore
