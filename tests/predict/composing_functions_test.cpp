#include "predict/composing_functions.h"

#include "trace_builder.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using test::TraceBuilder;

constexpr uint64_t kMutex = 0x1000;
constexpr uint64_t kOther = 0x2000;
// The function of a thread calls one that composes, which calls two that lock.
constexpr uint32_t kInBody = 1, kLook = 2, kAct = 3, kLockA = 4, kLockB = 5, kInLibrary = 6;

SiteCatalog catalog() {
  std::vector<SiteEntry> entries(1); // ids begin at 1
  auto add = [&](const char* function, uint8_t flags = 0) {
    SiteEntry entry;
    entry.kind = SiteKind::Call;
    entry.linkageName = function;
    entry.flags = flags;
    entries.push_back(entry);
  };
  add("body");
  add("login");
  add("login");
  add("contains");
  add("create");
  add("std_helper", kSiteLibrary);
  return SiteCatalog(std::move(entries));
}

/// The thread takes the mutex in a function that is called by these call sites.
void lockBelow(TraceBuilder& trace, uint32_t thread, std::initializer_list<uint32_t> calls,
               uint32_t site, uint64_t mutex = kMutex) {
  uint32_t depth = 0;
  for (uint32_t call : calls)
    trace.add(thread, EventKind::Frame, 0, call, depth++);
  trace.add(thread, EventKind::MutexLock, mutex, site);
  trace.add(thread, EventKind::MutexUnlock, mutex, site);
}

std::vector<std::string> functionsOf(TraceBuilder& trace) {
  ComposingFunctions functions;
  functions.add(trace.events());
  return functions.innermostFirst(catalog());
}

TEST(ComposingFunctions, TheInnermostThatContainsBothSteps) {
  TraceBuilder trace;
  lockBelow(trace, 1, {kInBody, kLook}, kLockA);
  lockBelow(trace, 1, {kInBody, kAct}, kLockB);
  lockBelow(trace, 2, {kInBody, kLook}, kLockA);
  EXPECT_EQ(functionsOf(trace), std::vector<std::string>{"login"});
}

TEST(ComposingFunctions, RoundsOfOneStepPutNothingTogether) {
  TraceBuilder trace;
  for (int i = 0; i < 3; ++i) {
    lockBelow(trace, 1, {kInBody, kLook}, kLockA);
    lockBelow(trace, 2, {kInBody, kLook}, kLockA);
  }
  EXPECT_TRUE(functionsOf(trace).empty());
}

TEST(ComposingFunctions, WhatOneThreadUsesAlone) {
  TraceBuilder trace;
  lockBelow(trace, 1, {kInBody, kLook}, kLockA);
  lockBelow(trace, 1, {kInBody, kAct}, kLockB);
  EXPECT_TRUE(functionsOf(trace).empty());
}

TEST(ComposingFunctions, StepsOnTwoObjects) {
  TraceBuilder trace;
  lockBelow(trace, 1, {kInBody, kLook}, kLockA, kMutex);
  lockBelow(trace, 1, {kInBody, kAct}, kLockB, kOther);
  lockBelow(trace, 2, {kInBody, kLook}, kLockA, kMutex);
  lockBelow(trace, 2, {kInBody, kAct}, kLockB, kOther);
  EXPECT_TRUE(functionsOf(trace).empty());
}

TEST(ComposingFunctions, NoneOfALibrary) {
  TraceBuilder trace;
  lockBelow(trace, 1, {kInBody, kInLibrary}, kLockA);
  lockBelow(trace, 1, {kInBody, kInLibrary}, kLockB);
  trace.add(1, EventKind::AtomicRead, kOther, kInLibrary, 4);
  trace.add(1, EventKind::AtomicRead, kOther, kLockA, 4);
  lockBelow(trace, 2, {kInBody, kLook}, kLockA);
  for (const std::string& name : functionsOf(trace))
    EXPECT_NE(name, "std_helper");
}

TEST(ComposingFunctions, TwoUsesOfAnAtomic) {
  TraceBuilder trace;
  trace.add(1, EventKind::Frame, 0, kInBody, 0);
  trace.add(1, EventKind::AtomicRead, kOther, kLook, 4);
  trace.add(1, EventKind::AtomicUpdate, kOther, kAct, 4);
  trace.add(2, EventKind::AtomicRead, kOther, kLook, 4);
  EXPECT_EQ(functionsOf(trace), std::vector<std::string>{"login"});
}

} // namespace
} // namespace heddle
