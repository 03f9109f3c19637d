#pragma once

#include "model/batch.h"
#include "model/schedule_text.h"
#include "model/site_catalog.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// One run with its details, copied out of the shared memory: complete for runs that failed, were
/// cut, diverged or lost control.
struct RunRecord {
  RunResult result{};
  FailureKind failure = FailureKind::None;
  int signal = 0;
  uint64_t address = 0;
  ThreadIndex thread = ThreadIndex::None;
  SiteId site = SiteId::None;
  uint32_t accessSize = 0;
  SiteId freeSite = SiteId::None;
  SiteId allocationSite = SiteId::None;
  ThreadIndex freeThread = ThreadIndex::None;
  ThreadIndex allocationThread = ThreadIndex::None;
  std::string message;
  std::vector<ThreadDetail> threads;
  std::optional<Meeting> meeting; ///< the first time that the plan's target was triggered
  std::vector<Decision> decisions;
  std::string output;                       ///< of the program
  std::shared_ptr<const SiteCatalog> sites; ///< of the process; may be null

  /// The paths of creation of all threads of the run.
  ThreadNames threadNames() const;
  const SiteEntry* siteEntry(SiteId id) const { return sites ? sites->find(id) : nullptr; }
};

/// Where the thread that ran was seen last, code of the program if it can be; null: not known.
const SiteEntry* lastPlaceOf(const RunRecord& record);
/// The same as text: "thread T1 was in work (main.cpp:12)"; empty: not known.
std::string placeOf(const RunRecord& record);

const char* outcomeName(Outcome outcome);
const char* failureKindName(FailureKind kind);
const char* isolationName(Isolation isolation);
const char* strategyName(StrategyKind strategy);

} // namespace heddle
