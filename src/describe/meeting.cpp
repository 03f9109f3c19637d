#include "describe/meeting.h"

#include <algorithm>

namespace heddle {
namespace {

bool isOf(const Operation& operation, const MeetingSide& side) {
  return operation.thread == side.thread && raw(operation.site) == side.site &&
         operation.kind == side.kind;
}

bool isAccess(EventKind kind) { return !isSync(kind) || kind == EventKind::Free; }

/// Where the beginning of the run is not known nothing can be counted: the last one to the same
/// memory is taken.
std::optional<size_t> operationOf(const MeetingSide& side, const std::vector<Operation>& operations,
                                  bool whole) {
  std::optional<size_t> last;
  uint32_t seen = 0;
  for (size_t i = 0; i < operations.size(); ++i) {
    if (!isOf(operations[i], side))
      continue;
    if (whole && ++seen == side.occurrence)
      return i;
    if (!whole && operations[i].address == side.address)
      last = i;
  }
  return last;
}

} // namespace

std::optional<size_t> MeetingPlaces::last() const {
  std::optional<size_t> found;
  for (const auto& place : operations)
    if (place)
      found = std::max(found.value_or(0), *place);
  return found;
}

std::optional<unsigned> MeetingPlaces::first() const {
  if (operations.size() != 2 || (!operations[0] && !operations[1]))
    return std::nullopt;
  if (!operations[0] || !operations[1])
    return operations[0] ? 0 : 1;
  return *operations[0] < *operations[1] ? 0 : 1;
}

MeetingPlaces findMeeting(const std::vector<Operation>& operations, const RunRecord& record,
                          bool whole) {
  MeetingPlaces places;
  // Who waits for a lock is told by the deadlock itself.
  if (!record.meeting || record.meeting->sideCount == 0 || !isAccess(record.meeting->sides[0].kind))
    return places;
  for (uint32_t i = 0; i < std::min(record.meeting->sideCount, kMaxRoles); ++i)
    places.operations.push_back(operationOf(record.meeting->sides[i], operations, whole));
  return places;
}

} // namespace heddle
