#include "describe/selection.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr size_t kMaxObjects = 4; ///< that the failing thread shared with others near its end

/// Operations that order threads. Others in the sync model (clocks, allocation) say nothing about
/// an interleaving.
bool ordersThreads(EventKind kind) {
  switch (kind) {
  case EventKind::MutexLock:
  case EventKind::MutexTryLock:
  case EventKind::MutexUnlock:
  case EventKind::ReadLock:
  case EventKind::WriteLock:
  case EventKind::RwUnlock:
  case EventKind::SpinLock:
  case EventKind::SpinUnlock:
  case EventKind::CondWait:
  case EventKind::CondWake:
  case EventKind::CondSignal:
  case EventKind::CondBroadcast:
  case EventKind::BarrierWait:
  case EventKind::SemWait:
  case EventKind::SemPost:
  case EventKind::Release:
  case EventKind::Acquire:
  case EventKind::FutexWait:
  case EventKind::FutexWake:
  case EventKind::OnceBegin:
  case EventKind::OnceEnd:
  case EventKind::GuardAcquire:
  case EventKind::GuardRelease:
  case EventKind::ThreadStart:
  case EventKind::ThreadExit:
  case EventKind::ThreadCreate:
  case EventKind::ThreadJoin:
  case EventKind::ThreadDetach:
  case EventKind::ThreadCancel:
  case EventKind::Sleep:
  case EventKind::Exit:
    return true;
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::AtomicRead:
  case EventKind::AtomicWrite:
  case EventKind::AtomicUpdate:
  case EventKind::Fence:
  case EventKind::Spin:
  case EventKind::Yield:
  case EventKind::ClockRead:
  case EventKind::Io:
  case EventKind::Allocate:
  case EventKind::Free:
  case EventKind::Value:
  case EventKind::Call:
  case EventKind::Return:
  case EventKind::Enter:
  case EventKind::Frame:
  case EventKind::UnseenCall:
  case EventKind::BarrierLeave:
  case EventKind::FutexLeave:
  case EventKind::Failure:
    return false;
  }
  return false;
}

bool initialises(EventKind kind) {
  return kind == EventKind::OnceBegin || kind == EventKind::OnceEnd ||
         kind == EventKind::GuardAcquire || kind == EventKind::GuardRelease;
}

bool isHeap(EventKind kind) { return kind == EventKind::Allocate || kind == EventKind::Free; }

/// What happens after main's end belongs to the failure only if the failure is there.
bool endsWithMain(FailureKind failure) {
  return failure == FailureKind::None || failure == FailureKind::ExitStatus;
}

} // namespace

Selection::Selection(const std::vector<Operation>& operations, const RunRecord& record,
                     const ObjectNames& objects, const std::vector<size_t>& decisive)
    : operations_(operations), record_(record), objects_(objects),
      decisive_(decisive.begin(), decisive.end()) {
  findBeginnings();
  collectUses();
  findFocus();
  buildRows();
  foldRounds();
}

std::vector<size_t> Selection::choose(size_t mostRows) const {
  std::vector<size_t> chosen;
  for (Weight wanted : {Weight::Decisive, Weight::High, Weight::Medium, Weight::Low})
    for (size_t i = rows_.size(); i > 0 && chosen.size() < mostRows; --i)
      if (rows_[i - 1].weight == wanted)
        chosen.push_back(i - 1);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Weight Selection::weight(size_t index) const {
  return decisive_.contains(index) ? Weight::Decisive : weightOf(operations_[index]);
}

Weight Selection::weightOf(const Operation& operation) const {
  if (initialises(operation.kind) && isSettled(operation))
    return Weight::None;
  if (isSync(operation.kind))
    return ordersThreads(operation.kind) || isBlockOfFailure(operation) ? Weight::High
                                                                        : Weight::None;
  if (!isShared(operation.address) && !isFocus(operation))
    return Weight::None;
  if (operation.number < firstCreation_ && !isInitialValue(operation))
    return Weight::None;
  if (isOwnCode(operation))
    return isFocus(operation) ? Weight::High : Weight::Medium;
  return isFocus(operation) ? Weight::Medium : Weight::Low;
}

/// Whether an initialisation orders nobody: it is done while there is one thread only, or no other
/// thread comes by.
bool Selection::isSettled(const Operation& operation) const {
  return operation.number < firstCreation_ ||
         initialisedBySeveral_.count(granule(operation.address)) == 0;
}

/// Whether it leaves the value with which the second thread begins. What the memory held before is
/// often that of another object.
bool Selection::isInitialValue(const Operation& operation) const {
  auto last = initialWrites_.find(granule(operation.address));
  return last != initialWrites_.end() && last->second == operation.number;
}

/// Whether it stands in the program's own code and not in a library's header.
bool Selection::isOwnCode(const Operation& operation) const {
  const SiteEntry* site = record_.siteEntry(operation.site);
  return site && site->isUserCode();
}

bool Selection::isShared(uint64_t address) const {
  auto use = uses_.find(granule(address));
  return address != 0 && use != uses_.end() && use->second.shared();
}

bool Selection::isFocus(const Operation& operation) const {
  return operation.address != 0 && focus_.count(granule(operation.address)) != 0;
}

/// Whether it allocates or frees the block that a memory error is about.
bool Selection::isBlockOfFailure(const Operation& operation) const {
  return record_.failure == FailureKind::MemoryError && isHeap(operation.kind) &&
         operation.address <= record_.address &&
         record_.address - operation.address < std::max(operation.size, 1u);
}

void Selection::collectUses() {
  std::unordered_map<uint64_t, unsigned> initialisers;
  for (const Operation& operation : operations_) {
    if (initialises(operation.kind)) {
      auto first = initialisers.try_emplace(granule(operation.address), operation.thread).first;
      if (first->second != operation.thread)
        initialisedBySeveral_.insert(granule(operation.address));
    }
    if (operation.number < firstCreation_ && isWrite(operation.kind))
      initialWrites_[granule(operation.address)] = operation.number;
    if (isSync(operation.kind) || operation.address == 0)
      continue;
    auto [entry, isNew] = uses_.try_emplace(granule(operation.address));
    Use& use = entry->second;
    bool handedOver = !use.severalThreads && use.lastByOwner < began_[operation.thread];
    if (isNew || (use.owner != operation.thread && handedOver))
      use = {operation.thread, 0, false, false};
    use.severalThreads |= use.owner != operation.thread;
    if (use.owner == operation.thread)
      use.lastByOwner = operation.number;
    use.written |= isWrite(operation.kind);
  }
}

/// A thread exists from its creation on, long before it runs for the first time.
void Selection::findBeginnings() {
  std::unordered_map<uint64_t, unsigned> threads;
  for (const Operation& operation : operations_)
    if (operation.kind == EventKind::ThreadStart && operation.address != 0)
      threads.try_emplace(operation.address, operation.thread);
  for (const Operation& operation : operations_) {
    if (operation.kind == EventKind::ThreadCreate && firstCreation_ == 0)
      firstCreation_ = operation.number;
    auto created = threads.find(operation.address);
    if (operation.kind == EventKind::ThreadCreate && created != threads.end())
      began_[created->second] = operation.number;
  }
}

void Selection::addFocus(uint64_t address) {
  if (address != 0)
    focus_.insert(granule(address));
}

void Selection::findFocus() {
  if (record_.failure == FailureKind::Deadlock)
    focusOnWaits();
  if (record_.failure == FailureKind::MemoryError)
    addFocus(record_.address);
  if (!focus_.empty())
    return;
  focusOnMeeting();
  unsigned failing = raw(record_.thread);
  focusOnAccesses([&](const Operation& operation) {
    return operation.thread == failing && isOwnCode(operation);
  });
  focusOnAccesses([&](const Operation& operation) { return isOwnCode(operation); });
  focusOnAccesses([](const Operation&) { return true; });
}

/// What the accesses that met touch.
void Selection::focusOnMeeting() {
  if (!record_.meeting || record_.meeting->sideCount < 2)
    return;
  for (uint32_t i = 0; i < std::min(record_.meeting->sideCount, kMaxRoles); ++i)
    addFocus(record_.meeting->sides[i].address);
}

void Selection::focusOnWaits() {
  for (const ThreadDetail& thread : record_.threads) {
    if (thread.state != ThreadState::Blocked || thread.wait == WaitKind::Join)
      continue;
    addFocus(thread.waitObject);
    for (uint32_t i = 0; i < std::min(thread.heldCount, kMaxHeldLocks); ++i)
      addFocus(thread.held[i].object);
  }
}

template <typename Filter> void Selection::focusOnAccesses(const Filter& filter) {
  for (size_t i = operations_.size(); i > 0 && focus_.size() < kMaxObjects; --i) {
    const Operation& operation = operations_[i - 1];
    if (!isSync(operation.kind) && isShared(operation.address) && filter(operation))
      addFocus(operation.address);
  }
}

/// A switch to an operation that is not shown belongs to the thread's next one; where there is none
/// before the next switch, the first operation stands for all.
void Selection::buildRows() {
  bool switched = false;
  for (size_t i = 0; i < operations_.size(); ++i) {
    const Operation& operation = operations_[i];
    bool newThread = i > 0 && operations_[i - 1].thread != operation.thread;
    if (newThread && switched)
      addToRows(i - 1, Weight::Low, true);
    switched = operation.switched || (switched && !newThread);
    Weight known = weight(i);
    if (known == Weight::None)
      continue;
    addToRows(i, known, switched);
    switched = false;
    bool isOver = decisive_.upper_bound(i) == decisive_.end();
    if (operation.kind == EventKind::Exit && endsWithMain(record_.failure) && isOver)
      return;
  }
}

void Selection::addToRows(size_t index, Weight weight, bool switched) {
  const Operation& operation = operations_[index];
  bool alone = weight == Weight::Decisive;
  if (!alone && !switched && !rows_.empty() && joins(rows_.back(), operation)) {
    rows_.back().members.push_back(index);
    rows_.back().weight = std::max(rows_.back().weight, weight);
    return;
  }
  bool inLibrary =
      !isSync(operation.kind) && !isOwnCode(operation) && operation.userSite != SiteId::None;
  rows_.push_back({{index}, weight, switched, inLibrary, 1, index});
}

bool Selection::joins(const StepRow& row, const Operation& operation) const {
  const Operation& last = operations_[row.members.back()];
  if (row.weight == Weight::Decisive)
    return false;
  if (last.thread != operation.thread || last.userSite != operation.userSite)
    return false;
  if (row.inLibrary && !isSync(operation.kind) && !isOwnCode(operation))
    return objects_.owner(last.address) == objects_.owner(operation.address);
  return last.kind == operation.kind && last.site == operation.site &&
         last.address == operation.address && last.value == operation.value &&
         last.result == operation.result && last.woken == operation.woken;
}

/// Whether two rows show the same to a reader, whatever the values are.
bool Selection::isSameStep(const StepRow& one, const StepRow& other) const {
  const Operation& a = operations_[one.firstMember()];
  const Operation& b = operations_[other.firstMember()];
  bool folds = one.weight != Weight::Decisive && other.weight != Weight::Decisive;
  return folds && a.thread == b.thread && a.kind == b.kind && a.site == b.site &&
         a.userSite == b.userSite && (!isSync(a.kind) || a.address == b.address) &&
         a.result == b.result && a.woken == b.woken;
}

/// How often the rows from `first` on, so many of one thread, follow each other without a switch.
size_t Selection::countRounds(size_t first, size_t length) const {
  size_t at = first + length;
  unsigned thread = operations_[rows_[first].firstMember()].thread;
  for (size_t i = first + 1; i < std::min(at, rows_.size()); ++i)
    if (rows_[i].switched || operations_[rows_[i].firstMember()].thread != thread)
      return 1;
  while (at < rows_.size() && !rows_[at].switched && isSameStep(rows_[at - length], rows_[at]))
    ++at;
  return (at - first) / length;
}

/// Many rounds of a loop are one step; the last one stays as it is, next to what follows.
void Selection::foldRounds() {
  constexpr size_t kLongestRound = 12;
  constexpr size_t kFewRows = 12; ///< that are not worth folding
  constexpr size_t kFewRounds = 4;
  std::vector<StepRow> folded;
  for (size_t i = 0; i < rows_.size();) {
    size_t length = 0;
    size_t rounds = 0;
    for (size_t tried = 1; tried <= kLongestRound && i + tried < rows_.size(); ++tried)
      if (size_t count = countRounds(i, tried); count * tried > rounds * length) {
        length = tried;
        rounds = count;
      }
    if (rounds < kFewRounds || rounds * length < kFewRows) {
      folded.push_back(std::move(rows_[i++]));
      continue;
    }
    StepRow row = rows_[i];
    row.rounds = rounds - 1;
    row.roundEnd = rows_[i + length - 1].firstMember();
    for (size_t r = i; r < i + length * (rounds - 1); ++r)
      row.weight = std::max(row.weight, rows_[r].weight);
    folded.push_back(std::move(row));
    i += length * (rounds - 1);
    for (size_t r = 0; r < length; ++r)
      folded.push_back(std::move(rows_[i++]));
  }
  rows_ = std::move(folded);
}

} // namespace heddle
