#include "pipeline/stages/record.h"

#include <algorithm>
#include <iterator>

namespace heddle {
namespace {

/// Recordings without anything new after which there is nothing new to expect. Few runs to the
/// first failure count where others sample; candidates are all that other commands have.
constexpr unsigned kQuietBeforeSampling = 2;
constexpr unsigned kQuiet = 5;

} // namespace

Turn Record::advance() {
  Turn turn;
  if (Status status = record(); !status)
    turn.error = status.error();
  if (session_)
    search_.context.notes.noteModules(*session_);
  return turn;
}

Status Record::record() {
  CommandContext& context = search_.context;
  auto session = Session::create(context.sharedProgram(), context.sessions.options());
  if (!session)
    return session.error();
  session_.emplace(std::move(*session));
  Learning& learning = search_.learning;
  auto failures = learning.learn(*session_, search_.samples ? kQuietBeforeSampling : kQuiet,
                                 search_.stopsAtFailure());
  if (!failures)
    return failures.error();
  bool failed = !failures->empty();
  std::move(failures->begin(), failures->end(), std::back_inserter(search_.failures));
  if (failed && context.plans.points().sites.empty())
    search_.addSummary("a recording failed before it was known which accesses are shared");
  else
    search_.addSummary(
        "accesses to shared memory: " + std::to_string(context.plans.points().sites.size()) +
        " sites, from " + std::to_string(learning.recordings()) +
        (learning.recordings() == 1 ? " recording" : " recordings"));
  return Success{};
}

} // namespace heddle
