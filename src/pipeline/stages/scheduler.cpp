#include "pipeline/stages/scheduler.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

/// Of the time that is left, for what is open elsewhere when the last stage has settled.
constexpr double kOpenShare = 0.5;

} // namespace

Status Scheduler::execute() {
  Status status = executeTurns();
  for (Entry& entry : list_)
    entry.stage().finish();
  // What is in the queue, and races for which there was no time while others had to have their
  // turn.
  if (!search_.failures.empty())
    if (Status judged = judge(secondsToJudge()); !judged && status)
      status = judged;
  if (Status judged = judge(std::nullopt); !judged && status)
    status = judged;
  return status;
}

Status Scheduler::executeTurns() {
  if (Status status = search_.context.loadSuppressions(); !status)
    return status;
  for (Entry& entry : list_)
    if (Status status = entry.stage().prepare(); !status)
      return status;
  for (size_t i = 0; i < list_.size(); ++i) {
    auto isLast = takeTurn(list_[i], shareOf(list_[i]));
    if (!isLast || *isLast)
      return isLast ? Status(Success{}) : Status(isLast.error());
    if (i != 0)
      continue;
    if (search_.context.budget.searchIsOver())
      return Success{};
    for (Entry& entry : list_)
      entry.stage().begin();
  }
  return goOn();
}

std::optional<double> Scheduler::shareOf(const Entry& entry) const {
  const Share& share = entry.listed.share;
  double time = search_.context.lengths.isLong() ? share.timeOfLong : share.time;
  bool isLimited = time < 1 || share.forRuns < 1;
  return isLimited ? shareOfTime(search_.context.budget, time) : std::nullopt;
}

Result<bool> Scheduler::takeTurn(Entry& entry, std::optional<double> seconds) {
  const Share& share = entry.listed.share;
  Budget& budget = search_.context.budget;
  bool sharesJudging = share.forRuns < 1;
  if (!std::exchange(entry.hadTurn, true) && sharesJudging && share.time < 1)
    entry.seconds = seconds;
  double before = budget.secondsUsed();
  {
    StageLimit limit(budget, seconds ? std::optional(*seconds * share.forRuns) : std::nullopt,
                     share.runs < 1 ? shareOfRuns(budget, share.runs) : std::nullopt);
    last_ = entry.stage().advance();
  }
  auto left = sharesJudging ? seconds : secondsToJudge();
  if (sharesJudging && left)
    *left = std::max(0.0, *left + before - budget.secondsUsed());
  bool failed = !search_.failures.empty();
  Status status = last_.judge ? judge(left) : Status(Success{});
  if (entry.seconds)
    *entry.seconds -= budget.secondsUsed() - before;
  bool lost = &entry == &list_.back() && failed && search_.judging.judge().lost() &&
              search_.stopsAtFailure();
  bool ended = last_.judge && search_.samples && (search_.isDone() || lost);
  if (ended)
    list_.back().stage().endByFailure();
  if (last_.error || !status)
    return last_.error ? *last_.error : status.error();
  return last_.endsSearch || ended;
}

void Scheduler::summarize(Report& report) {
  for (Entry& entry : list_)
    entry.stage().summarize(report);
}

Status Scheduler::goOn() {
  Entry& last = list_.back();
  while (last.stage().wantsMore()) {
    auto isLast = takeTurn(last, shareOf(last));
    if (!isLast)
      return isLast.error();
    bool settled = last_.settled;
    if (*isLast && !settled)
      return Success{};
    if (Status status = letOthers(settled); !status)
      return status;
    if (*isLast || (search_.samples && search_.isDone()))
      return Success{};
  }
  return Success{};
}

Status Scheduler::letOthers(bool settled) {
  for (size_t i = 0; i + 1 < list_.size(); ++i) {
    Entry& entry = list_[i];
    Budget& budget = search_.context.budget;
    std::optional<double> seconds = entry.seconds;
    if (settled && entry.stage().hasOpen() && !budget.searchIsOver())
      seconds = shareOfTime(budget, kOpenShare);
    else if (settled || !entry.stage().hasNews() || seconds.value_or(1) <= 0)
      continue;
    if (auto turn = takeTurn(entry, seconds); !turn)
      return turn.error();
  }
  return Success{};
}

std::optional<double> Scheduler::secondsToJudge() const {
  for (const Entry& entry : list_)
    if (entry.seconds)
      return entry.seconds;
  return std::nullopt;
}

Status Scheduler::judge(std::optional<double> seconds) {
  return search_.judging.judge(std::exchange(search_.failures, {}), seconds);
}

} // namespace heddle
