#include "pipeline/interleaving.h"

#include "pipeline/finding_builder.h"
#include "pipeline/operations.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace heddle {
namespace {

constexpr size_t kMostObjects = 4; ///< that the failing thread shared with others near its end

enum class Weight { None, Low, Medium, High };

/// Operations that order threads. Others in the sync model (clocks, allocation) say nothing about
/// an interleaving.
Weight syncWeight(EventKind kind) {
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
  case EventKind::FutexWait:
  case EventKind::FutexWake:
    return Weight::Medium;
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
    return Weight::Low;
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
    return Weight::None;
  }
  return Weight::None;
}

bool isAcquisition(EventKind kind) {
  return kind == EventKind::MutexLock || kind == EventKind::MutexTryLock ||
         kind == EventKind::ReadLock || kind == EventKind::WriteLock || kind == EventKind::SpinLock;
}

/// Who touches a granule, and how. What a thread did to it before another one existed was handed
/// over to that one and does not make it shared.
struct Use {
  unsigned owner = 0;
  uint64_t lastByOwner = 0; ///< number of the operation
  bool severalThreads = false;
  bool written = false;
  bool shared() const { return severalThreads && written; }
};

class Selection {
public:
  Selection(const std::vector<Operation>& operations, const RunRecord& record)
      : operations_(operations), record_(record) {
    findBeginnings();
    collectUses();
    findFocus();
  }

  /// Indices of the chosen operations in order.
  std::set<size_t> choose(size_t mostRows) const {
    std::set<size_t> chosen;
    for (Weight wanted : {Weight::High, Weight::Medium, Weight::Low})
      for (size_t i = operations_.size(); i > 0 && chosen.size() < mostRows; --i)
        if (weight(operations_[i - 1]) == wanted)
          chosen.insert(i - 1);
    return chosen;
  }

  Weight weight(const Operation& operation) const {
    bool sync = isSync(operation.kind);
    Weight plain = sync ? syncWeight(operation.kind) : Weight::Medium;
    bool inFocus = operation.address != 0 && focus_.count(granule(operation.address)) != 0;
    if (inFocus && (plain != Weight::None || operation.kind == EventKind::Free))
      return Weight::High;
    if (plain == Weight::None)
      return plain;
    if (!sync)
      return !isShared(operation.address) ? Weight::None
             : isOwnCode(operation)       ? Weight::Medium
                                          : Weight::Low;
    return plain == Weight::Low || involved_.count(operation.thread) ? plain : Weight::Low;
  }

private:
  /// Whether it stands in the program's own code and not in a library's header.
  bool isOwnCode(const Operation& operation) const {
    const SiteEntry* site = record_.siteEntry(operation.site);
    return site && site->isUserCode();
  }

  bool isShared(uint64_t address) const {
    auto use = uses_.find(granule(address));
    return address != 0 && use != uses_.end() && use->second.shared();
  }

  void collectUses() {
    for (const Operation& operation : operations_) {
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
  void findBeginnings() {
    std::unordered_map<uint64_t, unsigned> threads;
    for (const Operation& operation : operations_)
      if (operation.kind == EventKind::ThreadStart && operation.address != 0)
        threads.try_emplace(operation.address, operation.thread);
    for (const Operation& operation : operations_) {
      auto created = threads.find(operation.address);
      if (operation.kind == EventKind::ThreadCreate && created != threads.end())
        began_[created->second] = operation.number;
    }
  }

  void addFocus(uint64_t address) {
    if (address != 0)
      focus_.insert(granule(address));
  }

  void findFocus() {
    if (record_.failure == FailureKind::Deadlock)
      focusOnWaits();
    if (record_.failure == FailureKind::MemoryError)
      addFocus(record_.address);
    if (focus_.empty()) {
      unsigned failing = raw(record_.thread);
      focusOnAccesses([&](const Operation& operation) {
        return operation.thread == failing && isOwnCode(operation);
      });
      focusOnAccesses([&](const Operation& operation) { return isOwnCode(operation); });
      focusOnAccesses([](const Operation&) { return true; });
    }
    for (const Operation& operation : operations_)
      if (operation.address != 0 && focus_.count(granule(operation.address)))
        involved_.insert(operation.thread);
    if (record_.thread != ThreadIndex::None)
      involved_.insert(raw(record_.thread));
  }

  void focusOnWaits() {
    for (const ThreadDetail& thread : record_.threads) {
      if (thread.state != ThreadState::Blocked || thread.wait == WaitKind::Join)
        continue;
      addFocus(thread.waitObject);
      for (uint32_t i = 0; i < std::min(thread.heldCount, kMaxHeldLocks); ++i)
        addFocus(thread.held[i].object);
    }
  }

  template <typename Filter> void focusOnAccesses(const Filter& filter) {
    for (size_t i = operations_.size(); i > 0 && focus_.size() < kMostObjects; --i) {
      const Operation& operation = operations_[i - 1];
      if (!isSync(operation.kind) && isShared(operation.address) && filter(operation))
        addFocus(operation.address);
    }
  }

  const std::vector<Operation>& operations_;
  const RunRecord& record_;
  std::unordered_map<unsigned, uint64_t> began_; ///< number of the operation that created it
  std::unordered_map<uint64_t, Use> uses_;
  std::unordered_set<uint64_t> focus_;
  std::set<unsigned> involved_;
};

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
    if (auto thread = objects.thread(operation.address))
      return "T" + std::to_string(*thread);
    return "";
  default:
    break;
  }
  // A sync operation inside a library is about what the user's code names; an access inside one is
  // about the library's own member.
  if (!objects.namesItsMutex(operation.kind, operation.site))
    return objects.name(operation.address);
  if (isSync(operation.kind) && shown && !shown->object.empty())
    return objects.numbered(operation.address, shown->object);
  if (site && site->isUserCode() && !site->object.empty())
    return site->object;
  std::string named = objects.name(operation.address);
  return named.empty() && site ? site->object : named;
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

Step makeStep(const Operation& operation, const RunRecord& record, const ObjectNames& objects) {
  Step step;
  step.index = operation.number;
  step.thread = operation.thread;
  step.switched = operation.switched;
  const SiteEntry* site = record.siteEntry(operation.site);
  const SiteEntry* shown = record.siteEntry(operation.userSite);
  if (!shown)
    shown = site;
  if (shown && !shown->linkageName.empty())
    step.location = locationOf(*shown);
  std::string object = objectText(operation, site, shown, objects);
  step.action = eventKindText(operation.kind);
  if (!object.empty())
    step.action += " " + object;
  else if (!isSync(operation.kind) && operation.size != 0)
    step.action += " of " + std::to_string(operation.size) + " bytes";
  step.value =
      operation.value ? valueText(*operation.value, operation.size) : outcomeText(operation);
  return step;
}

Step gapStep(const Operation& first, size_t count) {
  Step step;
  step.index = first.number;
  step.thread = first.thread;
  step.action = "… " + std::to_string(count) + (count == 1 ? " step" : " steps");
  return step;
}

} // namespace

void ObjectNames::offer(uint64_t address, const std::string& name, bool userCode) {
  if (address == 0 || name.empty())
    return;
  Name& known = names_[address];
  if (known.text.empty() || (userCode && !known.userCode))
    known = {name, userCode};
}

void ObjectNames::count(uint64_t address, const std::string& name) {
  auto& addresses = numbers_[name];
  addresses.try_emplace(address, addresses.size() + 1);
}

std::string ObjectNames::name(uint64_t address) const {
  auto found = names_.find(address);
  return found == names_.end() ? std::string() : numbered(address, found->second.text);
}

std::string ObjectNames::numbered(uint64_t address, const std::string& known) const {
  auto named = numbers_.find(known);
  if (named == numbers_.end() || named->second.size() < 2)
    return known;
  auto number = named->second.find(address);
  return number == named->second.end() ? known : known + " #" + std::to_string(number->second);
}

std::optional<unsigned> ObjectNames::thread(uint64_t address) const {
  auto found = threads_.find(address);
  return found == threads_.end() ? std::nullopt : std::optional(found->second);
}

SiteId ObjectNames::acquisition(uint64_t lock, unsigned thread) const {
  auto found = acquisitions_.find({lock, thread});
  return found == acquisitions_.end() ? SiteId::None : found->second;
}

ObjectNames nameObjects(const RecordedRun& run) {
  ObjectNames names;
  std::vector<Operation> operations = readOperations(run, {});
  for (const Operation& operation : operations)
    if (operation.kind == EventKind::CondWait)
      names.noteWait(operation.site);
  for (const Operation& operation : operations) {
    if (!names.namesItsMutex(operation.kind, operation.site))
      continue;
    const SiteEntry* site = run.record.siteEntry(operation.site);
    const SiteEntry* user = run.record.siteEntry(operation.userSite);
    if (operation.kind == EventKind::ThreadStart)
      names.setThread(operation.address, operation.thread);
    if (isSync(operation.kind) && user)
      names.offer(operation.address, user->object, true);
    if (site)
      names.offer(operation.address, site->object, site->isUserCode());
    if (operation.result == 0 && isAcquisition(operation.kind))
      names.setAcquisition(operation.address, operation.thread,
                           operation.userSite == SiteId::None ? operation.site
                                                              : operation.userSite);
  }
  // Of locks it matters which one; memory has private instances of the same name all over.
  for (const Operation& operation : operations)
    for (SiteId id : {operation.userSite, operation.site}) {
      const SiteEntry* site = run.record.siteEntry(id);
      if (site && names.namesItsMutex(operation.kind, operation.site) && isSync(operation.kind) &&
          operation.address != 0 && !site->object.empty())
        names.count(operation.address, site->object);
    }
  return names;
}

std::vector<Step> selectSteps(const RecordedRun& run, const ObjectNames& objects,
                              const std::vector<Decision>& decisions, size_t mostRows) {
  std::vector<Operation> operations = readOperations(run, decisions);
  Selection selection(operations, run.record);
  std::set<size_t> chosen = selection.choose(mostRows);
  std::vector<Step> steps;
  size_t left = 0, firstLeft = 0;
  bool switched = false; // a switch to an operation that is not shown belongs to the next one
  for (size_t i = 0; i < operations.size(); ++i) {
    bool sameThread = i > 0 && operations[i - 1].thread == operations[i].thread;
    switched = operations[i].switched || (switched && sameThread);
    if (!chosen.count(i)) {
      bool matters = selection.weight(operations[i]) >= Weight::Medium;
      if (matters && left++ == 0)
        firstLeft = i;
      continue;
    }
    if (left != 0)
      steps.push_back(gapStep(operations[firstLeft], left));
    left = 0;
    Step step = makeStep(operations[i], run.record, objects);
    step.switched = std::exchange(switched, false);
    steps.push_back(std::move(step));
  }
  return steps;
}

} // namespace heddle
