#include "pipeline/stages/scheduler.h"

#include "pipeline/stages/bandit.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

/// Of the time that is left, for what is open elsewhere when the last stage has settled.
constexpr double kOpenShare = 0.5;
/// Runs of the opening, and what it may take of the time and the runs that are left.
constexpr uint64_t kOpeningRuns = 256;
constexpr double kOpeningShare = 0.25;
/// Runs of a short turn: of the first ones, and later as many as this part of all so far.
constexpr uint64_t kFirstShortTurn = 2;
constexpr uint64_t kPartOfShortTurn = 8;

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
    if (list_[i].listed.share.inOpening && !std::exchange(wasOpened_, true)) {
      auto isOver = open();
      if (!isOver || *isOver)
        return isOver ? Status(Success{}) : Status(isOver.error());
    }
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

bool Scheduler::openingIsOver(uint64_t firstRun, double began) const {
  const Budget& budget = search_.context.budget;
  uint64_t made = budget.runsMade() - firstRun;
  auto secondsLeft = budget.secondsLeft();
  auto runsLeft = budget.runsLeft();
  double used = budget.secondsUsed() - began;
  return budget.searchIsOver() || made >= kOpeningRuns ||
         (secondsLeft && used >= kOpeningShare * (used + *secondsLeft)) ||
         (runsLeft &&
          static_cast<double>(made) >= kOpeningShare * static_cast<double>(made + *runsLeft));
}

Result<bool> Scheduler::open() {
  const CommandContext& context = search_.context;
  // What has failed already is to be explained, and of long runs there is no time for hundreds.
  if (!search_.failures.empty() || context.lengths.isLong())
    return false;
  std::vector<Entry*> entries;
  for (Entry& entry : list_)
    if (entry.listed.share.inOpening)
      entries.push_back(&entry);
  Bandit bandit(entries.size());
  uint64_t firstRun = context.budget.runsMade();
  double began = context.budget.secondsUsed();
  std::vector<bool> allowed(entries.size());
  size_t emptyTurns = 0;
  while (emptyTurns < entries.size() && !openingIsOver(firstRun, began)) {
    for (size_t i = 0; i < entries.size(); ++i)
      allowed[i] = entries[i]->stage().wantsShortTurn();
    if (std::count(allowed.begin(), allowed.end(), true) == 0)
      return false;
    size_t chosen = bandit.choose(allowed);
    uint64_t before = context.budget.runsMade();
    auto isOver = takeShortTurn(*entries[chosen],
                                std::max(kFirstShortTurn, (before - firstRun) / kPartOfShortTurn));
    if (!isOver || *isOver)
      return isOver;
    uint64_t made = context.budget.runsMade() - before;
    emptyTurns = made == 0 ? emptyTurns + 1 : 0;
    bandit.note(chosen,
                made == 0 ? 0 : static_cast<double>(last_.fresh) / static_cast<double>(made));
  }
  return false;
}

Result<bool> Scheduler::takeShortTurn(Entry& entry, uint64_t runs) {
  {
    StageLimit limit(search_.context.budget, std::nullopt, runs);
    last_ = entry.stage().advanceShortly();
  }
  if (last_.error)
    return *last_.error;
  if (last_.judge)
    if (Status status = judge(secondsToJudge()); !status)
      return status.error();
  // Whose runs have failed goes on until it is known what the failure follows from.
  if (last_.failed)
    return takeTurn(entry, shareOf(entry));
  bool ended = last_.judge && search_.samples &&
               (search_.isDone() || (search_.judging.judge().lost() && search_.stopsAtFailure()));
  if (ended)
    list_.back().stage().endByFailure();
  return ended;
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
