#pragma once

#include "control/workers.h"
#include "pipeline/runs/budget.h"
#include "pipeline/runs/command_notes.h"
#include "pipeline/runs/local_sites.h"
#include "pipeline/runs/plan_maker.h"
#include "pipeline/runs/run_lengths.h"
#include "pipeline/runs/session_settings.h"
#include "pipeline/runs/suppressions.h"
#include "pipeline/runs/tally.h"
#include "store/store.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace heddle {

/// What a command shows while it works.
struct StageProgress {
  std::string stage;
  uint64_t runs = 0;
  uint64_t behaviours = 0;
  size_t findings = 0;
  size_t candidates = 0;   ///< forcing: all of them
  size_t cameAbout = 0;    ///< forcing: of the candidates
  double secondsLeft = -1; ///< below 0: no limit; showProgress fills it in
};
using ProgressListener = std::function<void(const StageProgress&)>;

/// What the stages of one command share. Each part is a class of its own, and knows the others only
/// as far as its constructor says. Used from one thread, except where a part says otherwise.
class CommandContext {
  std::shared_ptr<const Program> program_;
  Options options_;
  Store* store_;
  ProgressListener listener_;
  std::optional<Workers> workers_;

public:
  /// `store` may be null.
  CommandContext(std::shared_ptr<const Program> program, const Options& options, Store* store);
  CommandContext(const CommandContext&) = delete;
  CommandContext& operator=(const CommandContext&) = delete;

  Tally tally;
  Budget budget;
  CommandNotes notes;
  RunLengths lengths;
  PlanMaker plans;
  SessionSettings sessions;
  LocalSites localSites;
  Suppressions suppressions;

  const Program& program() const { return *program_; }
  std::shared_ptr<const Program> sharedProgram() const { return program_; }
  const Options& options() const { return options_; }
  Store* store() const { return store_; }

  /// Programs that are kept running for stages and judges; made when they are first asked for,
  /// after the first run has shown what is possible.
  Workers& workers();

  /// Takes over what the run without preemption showed.
  void learnFromFirstRun(const RunRecord& record, const Session::Notes& seen);
  /// Counts a run that looked for something.
  void count(const RunResult& result, bool failure);
  /// Reads the suppressions of the option, if there are some.
  Status loadSuppressions();

  void setProgressListener(ProgressListener listener) { listener_ = std::move(listener); }
  void showProgress(const StageProgress& progress) const;
};

} // namespace heddle
