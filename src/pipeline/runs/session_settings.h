#pragma once

#include "control/options.h"
#include "control/session.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

std::optional<Isolation> parseIsolation(const std::string& name);

/// How programs are started: what the options say, and what the first run has shown that is
/// possible. The options must outlive it.
class SessionSettings {
public:
  explicit SessionSettings(const Options& options) : options_(options) {}

  SessionOptions options() const;
  /// Settings of a session that starts a fresh process for each run.
  SessionOptions freshOptions() const;
  /// How many programs to run at the same time: what was asked for, or else one for each core
  /// where the first run has shown nothing that only one process can have.
  unsigned jobs() const;

  void learnFromFirstRun(const RunRecord& record, const Session::Notes& notes);

private:
  const Options& options_;
  uint32_t donorPool_ = 8;
  bool restorable_ = true;
  std::string notRestorable_; ///< what the first run did that memory cannot undo
  bool independent_ = true;   ///< runs at the same time do not see each other
};

} // namespace heddle
