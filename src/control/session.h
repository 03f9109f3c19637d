#pragma once

#include "control/batch_report.h"
#include "control/program.h"
#include "control/ring_reader.h"
#include "model/result.h"

#include <atomic>
#include <memory>
#include <span>
#include <string>

namespace heddle {

class PlanRunner;

/// A program under control: starts it, hands over plans, watches it, starts it again when it died.
///
/// A plan's runs are made one after the other. The report ends early at the first run that failed,
/// was cut, diverged or was lost: give the rest of the plan again to go on after it. A run in
/// which the program dies is tried a second time in a fresh process; if it dies there too, the
/// report ends with outcome Died. A program that is silent for too long is asked where it is, is
/// killed, and the report ends with outcome LostControl. A run that is still going on well after
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
  /// Events of recording plans go to `sink`. Errors: the program cannot be started or refuses.
  Result<BatchReport> execute(const PlanRequest& request, const EventSink& sink = nullptr,
                              bool wantLast = false);

  /// The sites of the current process, dumped by its first plan.
  Result<std::shared_ptr<const SiteCatalog>> sites();

  using Notes = SessionNotes;
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
  explicit Session(std::unique_ptr<PlanRunner> runner);
  std::unique_ptr<PlanRunner> runner_;
};

} // namespace heddle
