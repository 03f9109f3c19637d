#pragma once

#include "model/recorded_run.h"
#include "pipeline/judging/verdict.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

/// Replays runs, each in a fresh process. Nothing is called confirmed before it went through here.
class Confirmation {
public:
  /// Replays run in a fresh process each, unless another isolation is asked for.
  explicit Confirmation(CommandContext& context, std::optional<Isolation> isolation = std::nullopt)
      : context_(context), isolation_(isolation) {}

  /// Replays the captured run and compares digest, failure and place.
  Result<Verdict> confirm(const CapturedRun& failing);
  /// Replays a schedule; `sites` are its listed scheduling points. The error is
  /// OutOfTime or Interrupted when the replay was not let end.
  Result<RunRecord> replay(const Schedule& schedule, const std::vector<uint64_t>& sites,
                           Until until = Until::Grace);
  /// The same with complete stacks, values and a trace; the trace file goes to the store when
  /// `findingId` is not empty.
  Result<RecordedRun> replayInDetail(const Schedule& schedule, const std::vector<uint64_t>& sites,
                                     const std::string& findingId);

private:
  Result<Session*> session();
  /// `whole`: every access is recorded and not only those of the points; empty when that takes too
  /// long.
  Result<std::optional<RecordedRun>> record(const Schedule& schedule,
                                            const std::vector<uint64_t>& sites,
                                            const std::string& findingId, bool whole);

  CommandContext& context_;
  std::optional<Isolation> isolation_;
  std::optional<Session> session_;
};

/// What differs between a run and its replay; empty when nothing does.
std::string describeDifference(const RunRecord& first, const RunRecord& replayed);

std::string digestText(uint64_t digest);

} // namespace heddle
