#include "pipeline/runs/command_context.h"

namespace heddle {

CommandContext::CommandContext(std::shared_ptr<const Program> program, const Options& options,
                               Store* store)
    : program_(std::move(program)), options_(options), store_(store), budget(options_, tally),
      notes(*program_), lengths(options_), plans(options_, budget, lengths, notes),
      sessions(options_) {}

Workers& CommandContext::workers() {
  if (!workers_)
    workers_.emplace(program_, sessions.options(), sessions.jobs());
  return *workers_;
}

void CommandContext::learnFromFirstRun(const RunRecord& record, const Session::Notes& seen) {
  notes.learnFromFirstRun(record.result);
  lengths.learnFromFirstRun(record.result, plans.points().used() == PointSet::Sync);
  sessions.learnFromFirstRun(record, seen);
}

void CommandContext::count(const RunResult& result, bool failure) {
  tally.add(result, failure);
  budget.noteRun(result);
}

Status CommandContext::loadSuppressions() {
  if (options_.suppressions.empty())
    return Success{};
  auto read = Suppressions::read(options_.suppressions);
  if (!read)
    return read.error();
  suppressions = std::move(*read);
  return Success{};
}

void CommandContext::showProgress(const StageProgress& progress) const {
  if (!listener_)
    return;
  StageProgress shown = progress;
  shown.secondsLeft = budget.secondsLeft().value_or(-1);
  listener_(shown);
}

} // namespace heddle
