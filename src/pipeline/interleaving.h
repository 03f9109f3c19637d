#pragma once

#include "model/finding.h"
#include "pipeline/confirmation.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace heddle {

/// What addresses in a run mean, learned from the sites that touched them.
class ObjectNames {
public:
  /// Names that user code gives win over those of library code.
  void offer(uint64_t address, const std::string& name, bool userCode);
  /// `address` was called `name` by a site.
  void count(uint64_t address, const std::string& name);
  /// A site that waits for a condition names that, and not the mutex which it gives back and takes.
  void noteWait(SiteId site) { waits_.insert(site); }
  bool namesItsMutex(EventKind kind, SiteId site) const {
    bool ofMutex = kind == EventKind::MutexLock || kind == EventKind::MutexUnlock;
    return !ofMutex || !waits_.contains(site);
  }
  void setThread(uint64_t address, unsigned thread) { threads_[address] = thread; }
  void setAcquisition(uint64_t lock, unsigned thread, SiteId site) {
    acquisitions_[{lock, thread}] = site;
  }

  /// The name, or "" when no site that touched it has one. Locks and other sync objects with the
  /// same name are numbered: "Account::mutex_ #2".
  std::string name(uint64_t address) const;
  /// `known` (what a site calls it), numbered when several objects have that name.
  std::string numbered(uint64_t address, const std::string& known) const;
  /// The thread that an address stands for in create and join.
  std::optional<unsigned> thread(uint64_t address) const;
  /// Where a thread took a lock last, as the user's code shows it.
  SiteId acquisition(uint64_t lock, unsigned thread) const;

private:
  struct Name {
    std::string text;
    bool userCode = false;
  };
  std::map<uint64_t, Name> names_;
  std::map<std::string, std::map<uint64_t, size_t>> numbers_; ///< of objects by name, from 1
  std::map<uint64_t, unsigned> threads_;
  std::set<SiteId> waits_;
  std::map<std::pair<uint64_t, unsigned>, SiteId> acquisitions_;
};

ObjectNames nameObjects(const RecordedRun& run);

/// The steps that a report shows. Of all operations of a run those matter that touch what the
/// failure is about: the objects that the failing thread shared with others near its end, or the
/// locks of a deadlock. Then come other shared accesses and sync operations of the same threads,
/// then the life of threads, each nearest to the end first, up to `mostRows`. Where operations
/// that matter were left out, a row says how many.
std::vector<Step> selectSteps(const RecordedRun& run, const ObjectNames& objects,
                              const std::vector<Decision>& decisions, size_t mostRows = 40);

} // namespace heddle
