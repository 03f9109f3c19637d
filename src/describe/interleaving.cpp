#include "describe/interleaving.h"

#include "describe/finding_builder.h"
#include "describe/library_names.h"
#include "describe/selection.h"

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
    if (row.members.size() > 1)
      step.value = summaryOf(row);
    else if (!row.inLibrary || tellsValue(operation))
      step.value = valueOf(row.firstMember());
    return step;
  }

private:
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

} // namespace

std::vector<Step> selectSteps(const RecordedRun& run, const ObjectNames& objects,
                              const std::vector<Decision>& decisions, size_t mostRows) {
  std::vector<Operation> operations = readOperations(run, decisions);
  Selection selection(operations, run.record, objects);
  StepMaker maker(operations, run.record, objects);
  std::vector<Step> steps;
  size_t left = 0;
  const Operation* firstLeft = nullptr;
  const StepRow* before = nullptr;
  bool switched = false; // a switch to a row that is not shown belongs to the thread's next one
  std::vector<size_t> chosen = selection.choose(mostRows);
  auto next = chosen.begin();
  for (size_t i = 0; i < selection.rows().size(); ++i) {
    const StepRow& row = selection.rows()[i];
    const Operation& operation = operations[row.firstMember()];
    bool sameThread = before && operations[before->firstMember()].thread == operation.thread;
    switched = row.switched || (switched && sameThread);
    before = &row;
    if (next == chosen.end() || *next != i) {
      if (row.weight >= Weight::Medium && std::exchange(left, left + row.members.size()) == 0)
        firstLeft = &operation;
      continue;
    }
    ++next;
    if (left != 0)
      steps.push_back(gapStep(*firstLeft, std::exchange(left, 0)));
    Step step = maker.make(row);
    step.switched = std::exchange(switched, false);
    steps.push_back(std::move(step));
  }
  return steps;
}

} // namespace heddle
