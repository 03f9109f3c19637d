#pragma once

#include "describe/object_names.h"
#include "model/finding.h"
#include "model/run_record.h"

#include <optional>
#include <string>

namespace heddle {

bool isLockWait(WaitKind kind);

/// A thread's call stack, innermost first, from its site and its shadow stack.
Stack stackOf(const RunRecord& record, SiteId site, const uint32_t* frames, uint32_t count);

/// One side of a meeting: where it is in the user's code, and what it does there.
FindingSite siteOfMeeting(const RunRecord& record, const ObjectNames& objects,
                          const MeetingSide& side);

Location locationOf(const SiteEntry& site);
/// "read", "write", "atomic", "lock", "wait", "call" ...
std::string accessOf(const SiteEntry& site, WaitKind wait);

/// The innermost user frame from `site` outwards.
const SiteEntry* userSiteOf(const RunRecord& record, SiteId site, const uint32_t* frames,
                            uint32_t count);

/// What a finding tells of a site; empty: nothing is shown. `innermost` names the object where the
/// shown site does not.
std::optional<FindingSite> siteOfEntry(const RunRecord& record, const SiteEntry* shown,
                                       SiteId innermost, WaitKind wait, unsigned thread);

/// With the place of this very acquisition; a thread may take a lock at several places.
std::string heldText(const RunRecord& record, const ObjectNames& objects, const HeldLock& held);

} // namespace heddle
