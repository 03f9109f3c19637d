#pragma once

#include "control/batch_memory.h"
#include "control/modules.h"
#include "control/options.h"
#include "control/program.h"
#include "control/session.h"
#include "model/site_catalog.h"

#include <map>
#include <string>
#include <vector>

namespace heddle {

/// Names the build of a program in the store.
std::string buildName(const Program& program);

/// What a command came to know about the program, for its report: what is normal, what could not be
/// seen, what was left out, what a user has to be told. The program must outlive it.
class CommandNotes {
public:
  explicit CommandNotes(const Program& program) : program_(program) {}

  /// Takes over what is normal from the run without preemption.
  void learnFromFirstRun(const RunResult& result);
  int normalExitStatus() const { return normalExitStatus_; }
  /// Whether a run that the runtime calls finished is a failure all the same.
  bool isBadExit(const RunResult& result) const;
  /// Whether the run failed; one that only ends with a wrong status gets that as its failure.
  bool judgeEnd(RunRecord& record) const;

  /// Warns of what the program did outside heddle's reach.
  void noteDoings(const Session& session);
  /// Remembers which modules the session's process has mapped and what cannot be seen in them.
  /// Does nothing when they are known or when there is no process.
  void noteModules(Session& session);
  const std::vector<ProgramModule>& modules() const { return modules_; }
  const std::vector<std::string>& notSeen() const { return notSeen_; }

  /// Notes that an analysis has left out a part of what it was given.
  void noteLeftOut(const std::string& what) { ++leftOut_[what]; }
  /// What was left out and how often.
  const std::map<std::string, uint64_t>& leftOut() const { return leftOut_; }

  void addWarning(const std::string& text);
  const std::vector<std::string>& warnings() const { return warnings_; }

private:
  const Program& program_;
  int normalExitStatus_ = 0;
  std::vector<ProgramModule> modules_;
  std::vector<std::string> notSeen_;
  std::map<std::string, uint64_t> leftOut_;
  std::vector<std::string> warnings_;
};

} // namespace heddle
