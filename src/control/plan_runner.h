#pragma once

#include "control/batch_memory.h"
#include "control/batch_report.h"
#include "control/process.h"
#include "control/program.h"
#include "control/ring_reader.h"
#include "control/scratch.h"
#include "control/watchdog.h"
#include "model/result.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// Carries out the plans of a session: its state between and during plans. See session.h for what
/// it promises.
class PlanRunner {
public:
  PlanRunner(std::shared_ptr<const Program> program, const SessionOptions& options,
             BatchMemory memory, Scratch scratch);

  Result<BatchReport> execute(const PlanRequest& request, const EventSink& sink, bool wantLast);
  Result<std::shared_ptr<const SiteCatalog>> sites();
  pid_t processId() const { return process_ ? process_->pid() : -1; }
  SessionNotes notes() const;
  Isolation isolation() const { return isolation_; }
  const std::string& isolationReason() const { return reason_; }
  const BatchMemory& memory() const { return memory_; }
  void setCancel(const std::atomic<bool>* cancel) { cancel_ = cancel; }
  void endProcess();

private:
  enum class WaitEnd { Done, ProcessEnded, Computes, Waits, Interrupted, TimeUp };

  /// Runs as much of `part` as one hand-over allows and appends to `report`.
  Status executePart(PlanRequest& part, const EventSink& sink, bool wantLast, BatchReport& report);
  /// Writes the plan and starts the program if there is none.
  Status handOver(PlanRequest& part);
  WaitEnd waitForBatch(const EventSink& sink, const PlanRequest& part);
  /// How many times longer than usual the program may go without a scheduling point.
  double patienceFor(const PlanRequest& part) const;
  Progress progress() const;
  bool mustStop() const;
  bool isPastDeadline() const;
  bool bindsNow() const { return bindNow_ && isolation_ != Isolation::Exec; }

  void collectResults(BatchReport& report);
  Status finishPart(const PlanRequest& part, bool wantLast, BatchReport& report);
  /// The runtime asked for a new process: a larger donor pool, or a slower isolation.
  Status adaptIsolation(const PlanRequest& part, uint64_t done, const BatchReport& report);
  Status handleDeath(const PlanRequest& part, BatchReport& report);
  void handleSilence(const PlanRequest& part, WaitEnd end, BatchReport& report);
  /// Makes the runtime's signal handler fill the details.
  void askWhere();
  std::string describeSilence(const RunRecord& record, bool computes) const;

  RunRecord readRecord(const RunResult& result);
  std::shared_ptr<const SiteCatalog> knownSites();
  RunRecord lostRecord(Outcome outcome, uint64_t seed);
  std::string detailMessage() const;

  std::shared_ptr<const Program> program_;
  std::vector<uint64_t> unseenNames_; ///< of the program's executable
  SessionOptions options_;
  BatchMemory memory_;
  Scratch scratch_;
  Watchdog watchdog_;
  std::optional<Watchdog::Clock::time_point> deadline_; ///< of the plan that is being executed
  std::optional<Process> process_;
  Isolation isolation_;
  std::string reason_;
  uint32_t donorPool_;
  bool bindNow_ = true; ///< symbols are found before many runs rather than in each
  uint64_t plansInProcess_ = 0;
  std::shared_ptr<const SiteCatalog> catalog_; ///< of the process; see knownSites
  int deaths_ = 0;
  uint64_t diedAtSeed_ = 0;
  bool diedBefore_ = false;
  const std::atomic<bool>* cancel_ = nullptr;
};

} // namespace heddle
