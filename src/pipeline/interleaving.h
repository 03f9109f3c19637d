#pragma once

#include "model/finding.h"
#include "pipeline/confirmation.h"

#include <map>
#include <string>

namespace heddle {

/// Names of objects in a run by address: what sites that touched them call them.
class ObjectNames {
public:
  void offer(uint64_t address, const std::string& name);
  /// The name, or "" when no site that touched it has one.
  std::string name(uint64_t address) const;

private:
  std::map<uint64_t, std::string> names_;
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
