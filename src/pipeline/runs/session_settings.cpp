#include "pipeline/runs/session_settings.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr uint64_t kMaxJobs = 256;

} // namespace

std::optional<Isolation> parseIsolation(const std::string& name) {
  for (Isolation isolation : {Isolation::Exec, Isolation::Fork, Isolation::InPlace})
    if (name == isolationName(isolation))
      return isolation;
  return std::nullopt;
}

SessionOptions SessionSettings::options() const {
  SessionOptions session;
  if (auto isolation = parseIsolation(options_.isolation)) {
    session.isolation = *isolation;
    session.isolationFixed = true;
  } else if (!restorable_) {
    session.isolation = Isolation::Fork;
    session.isolationReason = notRestorable_;
  }
  session.hangCpuSeconds = options_.hang_seconds;
  session.hangWallSeconds = options_.wait_seconds;
  session.liveOutput = options_.show_output == "live";
  session.donorPool = donorPool_;
  return session;
}

SessionOptions SessionSettings::freshOptions() const {
  SessionOptions session = options();
  session.isolation = Isolation::Exec;
  session.isolationFixed = true;
  return session;
}

unsigned SessionSettings::jobs() const {
  uint64_t wanted = options_.jobs != 0 ? options_.jobs : independent_ ? coreCount() : 1;
  return static_cast<unsigned>(std::min(wanted, kMaxJobs));
}

void SessionSettings::learnFromFirstRun(const RunRecord& record, const Session::Notes& notes) {
  const RunResult& result = record.result;
  // One more than it had; a fork copies the stacks of spare ones, too.
  donorPool_ = result.peakThreads;
  restorable_ = (result.flags & kResultNotRestorable) == 0;
  notRestorable_ = record.message;
  independent_ = restorable_ && (result.flags & kResultEnvironment) == 0 && !notes.ownName &&
                 notes.files.empty();
}

} // namespace heddle
