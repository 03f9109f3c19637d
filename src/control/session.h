#pragma once

#include "control/batch_memory.h"
#include "control/process.h"
#include "control/program.h"
#include "control/ring_reader.h"
#include "control/scratch.h"
#include "control/watchdog.h"
#include "model/result.h"
#include "model/run_record.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

struct SessionOptions {
  /// Where to begin; steps down to the next slower one when the program needs it, unless fixed.
  Isolation isolation = Isolation::InPlace;
  bool isolationFixed = false;
  double hangCpuSeconds = 10;
  double hangWallSeconds = 60;
  bool liveOutput = false; ///< the program writes to the controller's own output
  uint32_t donorPool = 8;
  std::string isolationReason; ///< why it begins with a slower one
  int restarts = 16;           ///< deaths of the program in a session before it is given up
};

/// What the runs of one plan gave.
struct BatchReport {
  bool silent = false;            ///< the last run computed for too long without a scheduling point
  std::vector<RunResult> results; ///< one per finished run, in order of seed
  BatchStop stop = BatchStop::None;
  /// Stop Failure, or asked for: the last run with its details. None: no run ended in time.
  std::optional<RunRecord> last;
  bool interrupted = false;
  bool killed = false; ///< with stop WallTime: a run was going on, and was ended
  std::string place;   ///< with PlanRequest::saysWhere: where that run was, as text; may be empty
};

/// A program under control: starts it, hands over plans, watches it, starts it again when it died.
///
/// A plan's runs are made one after the other. The report ends early at the first run that failed,
/// was cut, diverged or was lost: give the rest of the plan again to go on behind it. A run in
/// which the program dies is tried a second time in a fresh process; if it dies there too, the
/// report ends with outcome Died. A program that is silent for too long is asked where it is, is
/// killed, and the report ends with outcome LostControl. A run that is still going on well behind
/// the plan's time is killed and has no result; the report ends with stop WallTime.
///
/// Not thread-safe; the thread that calls execute() must live as long as the session.
class Session {
public:
  static Result<Session> create(std::shared_ptr<const Program> program,
                                const SessionOptions& options);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  /// Runs the plan. With `wantLast` the details of the last run are read even if it went well.
  /// Events of recording plans go to `sink`. Errors: the program can not be started or refuses.
  Result<BatchReport> execute(const PlanRequest& request, const EventSink& sink = nullptr,
                              bool wantLast = false);

  /// The sites of the current process, dumped by its first plan.
  Result<std::shared_ptr<const SiteCatalog>> sites();

  /// What the program did so far that its user should hear of; see ProgramNotes.
  struct Notes {
    bool endOfInput = false;
    bool ownName = false;
    std::vector<std::string> files;
  };
  Notes notes() const;

  /// The running process, -1 when there is none.
  pid_t processId() const;
  Isolation isolation() const;
  /// Why the isolation is not the one that was asked for; empty if it is.
  const std::string& isolationReason() const;
  /// Hashes of the behaviours seen so far in this session, in the order in which they came.
  std::span<const uint64_t> behaviours() const;
  /// While `*cancel` is true plans end as if interrupted; null: never. The flag must outlive its
  /// use.
  void setCancel(const std::atomic<bool>* cancel);
  /// Ends the process; the next plan starts a new one.
  void end();

private:
  class Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

} // namespace heddle
