#include "describe/object_names.h"

#include "describe/library_names.h"
#include "describe/operations.h"

#include <algorithm>

namespace heddle {
namespace {

/// They are at no call of their own: their site is that of the thread's last call, which names
/// something else.
bool isOfThreadItself(EventKind kind) {
  return kind == EventKind::ThreadStart || kind == EventKind::ThreadExit;
}

bool isHeap(EventKind kind) { return kind == EventKind::Allocate || kind == EventKind::Free; }

/// A block is named by who uses it: the site that allocates it only knows its type.
void nameByHeap(ObjectNames& names, const Operation& operation) {
  if (operation.userSite != SiteId::None)
    names.setHeapCall(operation.site, operation.thread, operation.address, operation.userSite);
}

void nameByOperation(ObjectNames& names, const Operation& operation, const RunRecord& record) {
  const SiteEntry* site = record.siteEntry(operation.site);
  const SiteEntry* user = record.siteEntry(operation.userSite);
  if (operation.kind == EventKind::ThreadStart)
    names.setThread(operation.address, operation.thread);
  if (isOfThreadItself(operation.kind))
    return;
  if (isSync(operation.kind) && user)
    names.offer(operation.address, user->object, true);
  if (!isSync(operation.kind) && user)
    names.vote(operation.address, user->object, operation.userSite);
  if (site)
    names.offer(operation.address, site->object, site->isUserCode());
}

} // namespace

void ObjectNames::offer(uint64_t address, const std::string& name, bool userCode) {
  std::string shown = userCode ? name : publicName(name);
  if (address == 0 || shown.empty())
    return;
  Name& known = names_[address];
  if (known.text.empty() || (userCode && !known.userCode))
    known = {shown, userCode};
}

void ObjectNames::vote(uint64_t address, const std::string& name, SiteId call) {
  if (address == 0 || name.empty())
    return;
  std::vector<Votes>& all = votes_[address];
  auto given =
      std::find_if(all.begin(), all.end(), [&](const Votes& votes) { return votes.name == name; });
  if (given == all.end())
    given = all.insert(all.end(), Votes{name, {}});
  given->calls.insert(call);
}

void ObjectNames::count(uint64_t address, const std::string& name) {
  auto& addresses = numbers_[name];
  addresses.try_emplace(address, addresses.size() + 1);
}

std::string ObjectNames::name(uint64_t address) const {
  auto found = names_.find(address);
  return found == names_.end() ? std::string() : numbered(address, found->second.text);
}

bool ObjectNames::isNamedByUser(uint64_t address) const {
  auto named = names_.find(address);
  return named != names_.end() && named->second.userCode;
}

std::string ObjectNames::owner(uint64_t address) const {
  if (isNamedByUser(address))
    return names_.at(address).text;
  auto found = votes_.find(address);
  if (found == votes_.end())
    return "";
  const std::vector<Votes>& all = found->second;
  return std::max_element(
             all.begin(), all.end(),
             [](const Votes& a, const Votes& b) { return a.calls.size() < b.calls.size(); })
      ->name;
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

SiteId ObjectNames::heapCall(SiteId site, unsigned thread, uint64_t address) const {
  auto found = heapCalls_.find({site, thread});
  if (found == heapCalls_.end())
    return SiteId::None;
  auto behind = found->second.upper_bound(address);
  return behind == found->second.begin() ? SiteId::None : std::prev(behind)->second;
}

ObjectNames nameObjects(const RecordedRun& run) {
  ObjectNames names;
  std::vector<Operation> operations = readOperations(run, {});
  for (const Operation& operation : operations)
    if (operation.kind == EventKind::CondWait)
      names.noteWait(operation.site);
  for (const Operation& operation : operations) {
    if (isHeap(operation.kind))
      nameByHeap(names, operation);
    else if (names.namesItsMutex(operation.kind, operation.site))
      nameByOperation(names, operation, run.record);
  }
  // Of locks it matters which one; memory has private instances of the same name all over.
  for (const Operation& operation : operations)
    for (SiteId id : {operation.userSite, operation.site}) {
      const SiteEntry* site = run.record.siteEntry(id);
      if (site && names.namesItsMutex(operation.kind, operation.site) && isSync(operation.kind) &&
          !isHeap(operation.kind) && !isOfThreadItself(operation.kind) && operation.address != 0 &&
          !site->object.empty())
        names.count(operation.address, site->object);
    }
  return names;
}

} // namespace heddle
