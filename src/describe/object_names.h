#pragma once

#include "model/recorded_run.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// What addresses in a run mean, learned from the sites that touched them.
class ObjectNames {
public:
  /// Names that user code gives win over those of library code.
  void offer(uint64_t address, const std::string& name, bool userCode);
  /// A library that `call` in user code entered to work on `name` touched the address. It may have
  /// touched what the call passes in instead: the name that most calls give is believed.
  void vote(uint64_t address, const std::string& name, SiteId call);
  /// `address` was called `name` by a site.
  void count(uint64_t address, const std::string& name);
  /// A site that waits for a condition names that, and not the mutex which it gives back and takes.
  void noteWait(SiteId site) { waits_.insert(site); }
  bool namesItsMutex(EventKind kind, SiteId site) const {
    bool ofMutex = kind == EventKind::MutexLock || kind == EventKind::MutexUnlock;
    return !ofMutex || !waits_.contains(site);
  }
  void setThread(uint64_t address, unsigned thread) { threads_[address] = thread; }
  /// A library's `site` allocated or freed `block` for a call in user code.
  void setHeapCall(SiteId site, unsigned thread, uint64_t block, SiteId call) {
    heapCalls_[{site, thread}][block] = call;
  }

  /// The name, or "" when no site that touched it has one. Locks and other sync objects with the
  /// same name are numbered: "Account::mutex_ #2".
  std::string name(uint64_t address) const;
  /// Whether user code itself touched the address and has a name for it.
  bool isNamedByUser(uint64_t address) const;
  /// The user's object that owns memory which a library touched, or "".
  std::string owner(uint64_t address) const;
  /// `known` (what a site calls it), numbered when several objects have that name.
  std::string numbered(uint64_t address, const std::string& known) const;
  /// The thread that an address stands for in create and join.
  std::optional<unsigned> thread(uint64_t address) const;
  /// The call in user code for which `site` allocated or freed the block around `address`; None
  /// when `site` is in user code itself, or not known.
  SiteId heapCall(SiteId site, unsigned thread, uint64_t address) const;

private:
  struct Name {
    std::string text;
    bool userCode = false;
  };
  struct Votes {
    std::string name;
    std::set<SiteId> calls;
  };
  std::map<uint64_t, Name> names_;
  std::map<uint64_t, std::vector<Votes>> votes_;              ///< the first call's name first
  std::map<std::string, std::map<uint64_t, size_t>> numbers_; ///< of objects by name, from 1
  std::map<uint64_t, unsigned> threads_;
  std::set<SiteId> waits_;
  std::map<std::pair<SiteId, unsigned>, std::map<uint64_t, SiteId>> heapCalls_;
};

ObjectNames nameObjects(const RecordedRun& run);

} // namespace heddle
