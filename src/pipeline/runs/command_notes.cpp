#include "pipeline/runs/command_notes.h"

#include "describe/function_name.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr size_t kShownFunctions = 3;

std::string describeUnseen(const ProgramModule& module) {
  size_t count = module.unseenFunctions.size();
  std::string text = std::to_string(count) + (count == 1 ? " function" : " functions") + " of " +
                     module.path + " compiled without heddle (";
  for (size_t i = 0; i < std::min(count, kShownFunctions); ++i)
    text += (i == 0 ? "" : ", ") + shortFunctionName(demangle(module.unseenFunctions[i]));
  return text + (count > kShownFunctions ? ", ...)" : ")");
}

} // namespace

std::string buildName(const Program& program) {
  // What one test shares between threads another one may not.
  return program.test.empty() ? program.buildId : program.buildId + " " + program.test;
}

void CommandNotes::learnFromFirstRun(const RunResult& result) {
  bool failed = result.outcome == Outcome::Failed;
  if (!failed)
    normalExitStatus_ = result.exitStatus;
  if (result.threads == 1 && !failed)
    addWarning("the program made no second thread in the run without preemption: there is nothing "
               "to interleave");
}

bool CommandNotes::isBadExit(const RunResult& result) const {
  return result.outcome == Outcome::Finished && normalExitStatus_ == 0 && result.exitStatus != 0;
}

bool CommandNotes::judgeEnd(RunRecord& record) const {
  bool badExit = isBadExit(record.result);
  if (badExit)
    record.failure = FailureKind::ExitStatus;
  return badExit || record.result.outcome == Outcome::Failed;
}

void CommandNotes::noteDoings(const Session& session) {
  Session::Notes notes = session.notes();
  if (notes.endOfInput && !program_.hasInput)
    addWarning("the program reads standard input and found it empty: give it a file (heddle check "
               "... < input); every run gets a copy");
  for (const std::string& file : notes.files)
    addWarning("the program writes to " + file +
               ": runs can see what earlier ones wrote there. Use a file in TMPDIR, which is empty "
               "in every run");
}

void CommandNotes::noteModules(Session& session) {
  noteDoings(session);
  if (!modules_.empty())
    return;
  auto sites = session.sites();
  if (!sites)
    return;
  modules_ = readModules(session.processId(), **sites);
  notSeen_.clear();
  for (const ProgramModule& module : modules_)
    if (!module.instrumented && !module.modelled)
      notSeen_.push_back(module.path + " is not instrumented");
    else if (!module.unseenFunctions.empty())
      notSeen_.push_back(describeUnseen(module));
  bool anySite = false, anyFile = false;
  for (const SiteEntry& site : (*sites)->entries()) {
    anySite |= site.isUserCode();
    anyFile |= site.isUserCode() && !site.file.empty();
  }
  if (anySite && !anyFile)
    addWarning("the program has no debug information: compile it with -g to see files, lines and "
               "names of variables");
}

void CommandNotes::addWarning(const std::string& text) {
  if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end())
    warnings_.push_back(text);
}

} // namespace heddle
