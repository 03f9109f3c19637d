#pragma once

#include "control/file_descriptor.h"
#include "model/batch.h"
#include "model/result.h"
#include "model/site_catalog.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace heddle {

/// A plan with the lists that stand after it.
struct PlanRequest {
  Plan plan{};
  std::vector<uint64_t> listedSites;   ///< identities, sorted
  std::vector<uint64_t> selectedSites; ///< Surw: identities, sorted
  std::vector<uint64_t> localSites;    ///< identities, sorted; see Plan
  std::vector<uint64_t> unseenNames;   ///< filled by the session; see Plan
  std::vector<Decision> schedule;      ///< Replay
  std::vector<std::byte> prefixes;     ///< Prefix: see PrefixHeader
  /// CPU time without a scheduling point after which a run is ended; 0: that of the session, longer
  /// for runs whose accesses are looked at.
  double silenceSeconds = 0;
  /// A program whose first run is ended because the time is over is asked where it is, which may
  /// take a second.
  bool saysWhere = false;
};

/// The controller's side of the shared memory: creates the file with the layout of
/// model/batch.h, writes plans, reads results. The file is sparse; its regions are generous.
/// One batch memory belongs to one session and is not thread-safe.
class BatchMemory {
public:
  static Result<BatchMemory> create();
  BatchMemory(BatchMemory&& other) noexcept;
  BatchMemory& operator=(BatchMemory&& other) noexcept;
  ~BatchMemory();

  int descriptor() const { return file_.get(); }
  BatchHeader& header() { return *header_; }
  const BatchHeader& header() const { return *header_; }

  /// Forgets what a process that has ended left behind. Behaviours are kept.
  void resetForProcess();
  /// Writes plan and lists and forgets the previous results. Does not change the phase.
  Status writePlan(const PlanRequest& request);

  Phase phase() const;
  /// Sets the phase and wakes the runtime.
  void setPhase(Phase phase);
  /// Waits for the phase to change from `seen`, at most `nanos`.
  void waitForPhaseChange(Phase seen, uint64_t nanos) const;

  /// Results of the first `count` runs of the current batch.
  std::span<const RunResult> results(uint64_t count) const;
  /// Deviations of the last run.
  std::vector<Decision> decisions(uint32_t count) const;
  std::span<const uint64_t> behaviourLog() const;
  bool sitesComplete() const;
  uint32_t siteCount() const;
  Result<SiteCatalog> readSites() const;

  RingHeader& ring() { return *reinterpret_cast<RingHeader*>(at(header_->ring)); }
  std::span<const std::byte> ringData() const;

private:
  BatchMemory() = default;
  std::byte* at(const Region& region) const {
    return reinterpret_cast<std::byte*>(header_) + region.offset;
  }

  FileDescriptor file_;
  BatchHeader* header_ = nullptr;
  size_t bytes_ = 0;
};

/// A char array that a program may have left without its final zero.
std::string boundedText(const char* text, size_t limit);

} // namespace heddle
