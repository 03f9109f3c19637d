#include "describe/interleaving.h"

#include "describe/late_use.h"
#include "describe/library_names.h"
#include "describe/meeting.h"
#include "describe/missed_wakeup.h"
#include "describe/selection.h"
#include "describe/site_places.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace heddle {
namespace {

std::string valueText(uint64_t value, unsigned size) {
  // Events carry 48 bits; what is negative there was negative before.
  unsigned bits = std::min(size * 8, 48u);
  int64_t number = static_cast<int64_t>(value);
  if (bits > 8 && bits < 64 && (value >> (bits - 1) & 1))
    number -= int64_t{1} << bits;
  char text[32];
  if (number > int64_t{0xffffffff})
    snprintf(text, sizeof(text), "= 0x%llx", static_cast<unsigned long long>(value));
  else
    snprintf(text, sizeof(text), "= %lld", static_cast<long long>(number));
  return text;
}

std::string objectText(const Operation& operation, const SiteEntry* site, const SiteEntry* shown,
                       const ObjectNames& objects) {
  switch (operation.kind) {
  case EventKind::ThreadStart:
  case EventKind::ThreadExit:
  case EventKind::Exit:
  case EventKind::Sleep:
    return "";
  case EventKind::ThreadCreate:
  case EventKind::ThreadJoin:
  case EventKind::ThreadDetach:
  case EventKind::ThreadCancel:
    if (auto thread = operation.other ? operation.other : objects.thread(operation.address))
      return "T" + std::to_string(*thread);
    return "";
  default:
    break;
  }
  // A sync operation inside a library is about what the user's code names; an access inside one is
  // about what owns the memory there.
  if (!objects.namesItsMutex(operation.kind, operation.site))
    return objects.name(operation.address);
  if (isSync(operation.kind) && shown && !shown->object.empty())
    return objects.numbered(operation.address, shown->object);
  if (site && site->isUserCode() && !site->object.empty())
    return site->object;
  std::string named = objects.owner(operation.address);
  if (named.empty())
    named = objects.name(operation.address);
  return named.empty() && site ? publicName(site->object) : named;
}

/// "19,980"
std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t i = text.size(); i > 3; i -= 3)
    text.insert(i - 3, ",");
  return text;
}

std::string wakesText(const std::vector<unsigned>& woken) {
  std::string names;
  for (unsigned thread : woken)
    names += (names.empty() ? "T" : ", T") + std::to_string(thread);
  return "(wakes " + (names.empty() ? "nobody" : names) + ")";
}

std::string outcomeText(const Operation& operation) {
  if (operation.result == 0)
    return "";
  if (operation.kind == EventKind::MutexTryLock)
    return "(busy)";
  if (operation.result == EBUSY)
    return "(waits)";
  if (operation.result == ETIMEDOUT)
    return "(timed out)";
  return std::string("(") + strerrordesc_np(static_cast<int>(operation.result)) + ")";
}

/// Makes the steps of one run.
class StepMaker {
public:
  StepMaker(const std::vector<Operation>& operations, const RunRecord& record,
            const ObjectNames& objects)
      : operations_(operations), record_(record), objects_(objects) {}

  Step make(const StepRow& row) const {
    const Operation& operation = operations_[row.firstMember()];
    const SiteEntry* site = record_.siteEntry(operation.site);
    const SiteEntry* shown = record_.siteEntry(operation.userSite);
    if (!shown)
      shown = site;
    Step step;
    step.index = operation.number;
    step.thread = operation.thread;
    if (shown && showsPlace(operation, *shown))
      step.location = locationOf(*shown);
    std::string object = objectText(operation, site, shown, objects_);
    step.action = eventKindText(kindOf(row));
    if (!object.empty())
      step.action += " " + object;
    else if (!isSync(operation.kind) && operation.size != 0)
      step.action += " of " + std::to_string(operation.size) + " bytes";
    if (row.rounds > 1)
      foldedInto(step, row);
    else if (row.members.size() > 1)
      step.value = summaryOf(row);
    else if (!row.inLibrary || tellsValue(operation))
      step.value = valueOf(row.firstMember());
    return step;
  }

private:
  /// "lock m … unlock m × 1,000"
  void foldedInto(Step& step, const StepRow& row) const {
    if (row.roundEnd != row.firstMember())
      step.action += " … " + make({{row.roundEnd}}).action;
    step.value = "× " + grouped(row.rounds);
  }

  /// A thread begins and ends in a library, which says nothing.
  static bool showsPlace(const Operation& operation, const SiteEntry& shown) {
    bool life = operation.kind == EventKind::ThreadStart || operation.kind == EventKind::ThreadExit;
    return !shown.linkageName.empty() && (!life || shown.isUserCode());
  }

  /// What a library reads and writes in its own members (a container's pointers) is not a value of
  /// the object that the user's code names, unless that is an atomic variable.
  bool tellsValue(const Operation& operation) const {
    const SiteEntry* site = record_.siteEntry(operation.site);
    bool plain = operation.kind == EventKind::Read || operation.kind == EventKind::Write;
    return !plain || objects_.isNamedByUser(operation.address) ||
           (site && publicName(site->object).starts_with("std::atomic"));
  }

  /// Of several accesses the one that changes something is named.
  EventKind kindOf(const StepRow& row) const {
    for (size_t member : row.members)
      if (isWrite(operations_[member].kind))
        return operations_[member].kind;
    return operations_[row.firstMember()].kind;
  }

  std::string summaryOf(const StepRow& row) const {
    std::string count = std::to_string(row.members.size());
    if (row.inLibrary)
      return "(" + count + " accesses)";
    std::string value = valueOf(row.firstMember());
    return value + (value.empty() ? "(" : " (") + count + " times)";
  }

  std::string valueOf(size_t index) const {
    const Operation& operation = operations_[index];
    bool isLast = index + 1 == operations_.size();
    if (isNotification(operation.kind) && operation.result == 0 && !isLast)
      return wakesText(operation.woken);
    // What was read afterwards at the address of a write that failed is not what it wrote.
    bool failed = record_.failure == FailureKind::MemoryError &&
                  operation.thread == raw(record_.thread) && operation.address == record_.address;
    if (failed && isWrite(operation.kind) && isLastOfThread(index))
      return "";
    return operation.value ? valueText(*operation.value, operation.size) : outcomeText(operation);
  }

  bool isLastOfThread(size_t index) const {
    return std::none_of(
        operations_.begin() + static_cast<std::ptrdiff_t>(index) + 1, operations_.end(),
        [&](const Operation& later) { return later.thread == operations_[index].thread; });
  }

  const std::vector<Operation>& operations_;
  const RunRecord& record_;
  const ObjectNames& objects_;
};

Step gapStep(const Operation& first, size_t count) {
  Step step;
  step.index = first.number;
  step.thread = first.thread;
  step.action = "… " + std::to_string(count) + (count == 1 ? " step" : " steps");
  return step;
}

/// What has to be in every story: the accesses that met, what made a wake-up miss its thread, and
/// the free that a crash comes from.
std::vector<size_t> decisiveOperations(const std::vector<Operation>& operations,
                                       const RunRecord& record, const MeetingPlaces& meeting) {
  std::vector<size_t> decisive;
  for (const auto& place : meeting.operations)
    if (place)
      decisive.push_back(*place);
  if (auto missed = findMissedWakeup(operations, record))
    for (size_t operation : missed->operations())
      decisive.push_back(operation);
  if (auto block = findFreedBlock(operations, record)) {
    decisive.push_back(block->use);
    decisive.push_back(block->free);
  }
  return decisive;
}

/// Writes the story of one run: the rows that were chosen, and what is between them.
class Story {
public:
  Story(const std::vector<Operation>& operations, const Selection& selection,
        const StepMaker& maker)
      : operations_(operations), selection_(selection), maker_(maker) {}

  std::vector<Step> write(const std::vector<size_t>& chosen) {
    auto next = chosen.begin();
    for (size_t i = 0; i < selection_.rows().size(); ++i) {
      bool isChosen = next != chosen.end() && *next == i;
      take(selection_.rows()[i], isChosen);
      if (isChosen)
        ++next;
    }
    return std::move(steps_);
  }

private:
  void take(const StepRow& row, bool isChosen) {
    const Operation& operation = operations_[row.firstMember()];
    bool sameThread = before_ && operations_[before_->firstMember()].thread == operation.thread;
    switched_ = row.switched || (switched_ && sameThread);
    before_ = &row;
    if (!isChosen) {
      if (row.weight >= Weight::Medium && std::exchange(left_, left_ + row.members.size()) == 0)
        firstLeft_ = &operation;
      return;
    }
    if (left_ != 0)
      steps_.push_back(gapStep(*firstLeft_, std::exchange(left_, 0)));
    Step step = maker_.make(row);
    step.switched = std::exchange(switched_, false);
    steps_.push_back(std::move(step));
  }

  const std::vector<Operation>& operations_;
  const Selection& selection_;
  const StepMaker& maker_;
  std::vector<Step> steps_;
  const StepRow* before_ = nullptr;
  const Operation* firstLeft_ = nullptr;
  size_t left_ = 0;
  bool switched_ = false; ///< a switch to a row that is not shown belongs to the thread's next one
};

/// What a side would have done next when the run ended.
Step stepAhead(const RunRecord& record, const ObjectNames& objects, const MeetingSide& side,
               uint64_t number) {
  FindingSite site = siteOfMeeting(record, objects, side);
  Step step;
  step.index = number;
  step.thread = side.thread;
  step.location = site.location;
  step.action = std::string("about to ") + eventKindText(side.kind) +
                (site.object.empty() ? "" : " " + site.object);
  return step;
}

/// Whether the second of two accesses that met was about to be made when the first one was: nobody
/// but the first one's thread did anything in between.
bool stoodReady(const std::vector<Operation>& operations, size_t first, size_t second) {
  for (size_t i = first; i < second; ++i)
    if (operations[i].thread != operations[first].thread)
      return false;
  return operations[first].thread != operations[second].thread;
}

/// Where nothing failed the story ends with the accesses that met.
void endWithMeeting(std::vector<Step>& steps, const std::vector<Operation>& operations,
                    const MeetingPlaces& meeting) {
  if (meeting.operations.size() != 2 || !meeting.operations[0] || !meeting.operations[1])
    return;
  auto [first, second] = std::minmax(*meeting.operations[0], *meeting.operations[1]);
  uint64_t firstNumber = operations[first].number;
  uint64_t secondNumber = operations[second].number;
  if (steps.empty() || steps.back().index != secondNumber || !stoodReady(operations, first, second))
    return;
  std::erase_if(steps, [&](const Step& step) {
    return step.index > firstNumber && step.index < secondNumber;
  });
  steps.back().action = "about to " + steps.back().action;
}

} // namespace

Step stepOf(const std::vector<Operation>& operations, size_t index, const RunRecord& record,
            const ObjectNames& objects) {
  return StepMaker(operations, record, objects).make({{index}});
}

std::vector<Step> selectSteps(const RecordedRun& run, const ObjectNames& objects,
                              const std::vector<Decision>& decisions, size_t mostRows) {
  std::vector<Operation> operations = readOperations(run, decisions);
  bool whole = run.events.size() == run.totalEvents;
  MeetingPlaces meeting = findMeeting(operations, run.record, whole);
  Selection selection(operations, run.record, objects,
                      decisiveOperations(operations, run.record, meeting));
  StepMaker maker(operations, run.record, objects);
  std::vector<Step> steps = Story(operations, selection, maker).write(selection.choose(mostRows));
  if (run.record.failure == FailureKind::None)
    endWithMeeting(steps, operations, meeting);
  uint64_t number = operations.empty() ? 1 : operations.back().number + 1;
  for (size_t i = 0; i < meeting.operations.size() && meeting.operations.size() == 2; ++i)
    if (!meeting.operations[i] && whole)
      steps.push_back(stepAhead(run.record, objects, run.record.meeting->sides[i], number++));
  return steps;
}

} // namespace heddle
