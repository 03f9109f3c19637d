#pragma once

#include "describe/interleaving.h"
#include "describe/operations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

namespace heddle {

/// Sites of the runs here: 1 and 2 are accesses and locks of user code.
inline constexpr uint32_t kLibrary = 3;   ///< in a library, without a name
inline constexpr uint32_t kContainer = 4; ///< a member in a library
inline constexpr uint32_t kCall = 5;      ///< user code that calls it on "items_"

/// Writes events of a run by hand.
class RunWriter {
public:
  RunWriter() {
    std::vector<SiteEntry> sites(6);
    for (uint32_t i = 1; i < 6; ++i) {
      sites[i].identity = static_cast<SiteIdentity>(i);
      sites[i].linkageName = "f";
      sites[i].function = "f";
      bool library = i == kLibrary || i == kContainer;
      sites[i].file = library ? "/usr/include/deque" : "a.cpp";
      sites[i].flags = library ? kSiteLibrary : 0;
      sites[i].line = i;
      const char* objects[] = {"",      "counter", "lock_", "", "std::_Deque_iterator::_M_cur",
                               "items_"};
      sites[i].object = objects[i];
    }
    run_.record.sites = std::make_shared<SiteCatalog>(std::move(sites));
    run_.record.threads.resize(3);
    run_.record.threads[0].path = ThreadPath::Main;
    run_.record.threads[1].path = childPath(ThreadPath::Main, 1);
    run_.record.threads[2].path = childPath(ThreadPath::Main, 2);
    run_.record.failure = FailureKind::Assertion;
    run_.record.thread = static_cast<ThreadIndex>(1);
  }

  RunWriter& add(unsigned thread, EventKind kind, uint64_t address, uint32_t site = 1,
                 unsigned result = 0) {
    Event event{};
    event.result = result;
    event.address = address;
    event.kind = static_cast<uint8_t>(kind);
    event.site = site;
    event.thread = thread & 0xffff;
    event.size = concernsThread(kind) ? 0 : 4;
    run_.events.push_back(event);
    ++run_.totalEvents;
    return *this;
  }

  /// An access of a library for a call in user code.
  RunWriter& inLibrary(unsigned thread, EventKind kind, uint64_t address, uint32_t call = kCall) {
    return add(thread, EventKind::Call, 0, call).add(thread, kind, address, kContainer);
  }
  /// The notification before wakes a thread.
  RunWriter& wakes(unsigned woken) {
    Event event = run_.events.back();
    event.result = kEventWakes;
    event.size = (woken + 1) & 0xffff;
    run_.events.push_back(event);
    ++run_.totalEvents;
    return *this;
  }
  /// The event before is about another thread.
  RunWriter& about(unsigned thread) {
    run_.events.back().size = (thread + 1) & 0xffff;
    return *this;
  }

  /// A site of user code, 1 or 2 for those with names, as a side of a race.
  RunWriter& meets(unsigned thread, EventKind kind, uint64_t address, uint32_t site,
                   uint32_t occurrence = 1) {
    if (!run_.record.meeting)
      run_.record.meeting = Meeting();
    MeetingSide& side = run_.record.meeting->sides[run_.record.meeting->sideCount++];
    side.thread = thread;
    side.kind = kind;
    side.address = address;
    side.site = site;
    side.occurrence = occurrence;
    return *this;
  }
  /// At the end the thread waits for a condition variable.
  RunWriter& waits(unsigned thread, uint64_t condition) {
    run_.record.failure = FailureKind::Deadlock;
    ThreadDetail& detail = run_.record.threads[thread];
    detail.state = ThreadState::Blocked;
    detail.wait = WaitKind::Condition;
    detail.waitObject = condition;
    detail.waitOwner = raw(ThreadIndex::None);
    detail.site = 2;
    return *this;
  }

  RecordedRun& run() { return run_; }
  std::vector<Step> steps(size_t most = 40, const std::vector<Decision>& decisions = {}) {
    return selectSteps(run_, nameObjects(run_), decisions, most);
  }

private:
  RecordedRun run_;
};

inline constexpr uint64_t kCounter = 0x10000;
inline constexpr uint64_t kPrivate = 0x20000;
inline constexpr uint64_t kLock = 0x30000;

} // namespace heddle
