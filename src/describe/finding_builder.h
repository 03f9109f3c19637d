#pragma once

#include "model/captured_run.h"
#include "model/finding.h"
#include "model/recorded_run.h"

namespace heddle {

/// Turns a run that failed into what is reported: resolves ids, picks the frames that belong to
/// the user's code, words the message. `recorded` is the detailed replay when there is one.
Finding buildFinding(const CapturedRun& failing, const RunRecord& replayed,
                     const RecordedRun* recorded, int normalExitStatus);
/// The text that replays it. Of a long run it has millions of characters: only what is kept has it.
void addSchedule(Finding& finding, const CapturedRun& failing);

/// A thread's call stack, innermost first, from its site and its shadow stack.
Stack stackOf(const RunRecord& record, SiteId site, const uint32_t* frames, uint32_t count);

class ObjectNames;

/// One side of a meeting: where it is in the user's code, and what it does there.
FindingSite siteOfMeeting(const RunRecord& record, const ObjectNames& objects,
                          const MeetingSide& side);

Location locationOf(const SiteEntry& site);
/// "read", "write", "atomic", "lock", "wait", "call" ...
std::string accessOf(const SiteEntry& site, WaitKind wait);

} // namespace heddle
