#include "predict/atomicity_prediction.h"
#include "trace_builder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <set>

namespace heddle {
namespace {

using test::TraceBuilder;

/// The object that units work on: m1 at 0, m2 at 8, a constant at 16.
constexpr uint64_t kObject = 0x1000;
constexpr uint64_t kM1 = kObject, kM2 = kObject + 8, kConstant = kObject + 16;
constexpr uint64_t kLock = 0x2000, kOther = 0x2040;

/// Sites: calls of two functions in the program's first functions, entries of both, accesses in
/// both.
enum Site : uint32_t {
  kThreadStart = 1, ///< a call in a library
  kCallU,           ///< in the first function of a thread
  kCallV,
  kEnterU,
  kEnterV,
  kFirstU, ///< accesses in the function u
  kSecondU,
  kFirstV, ///< and in v
  kSecondV,
  kCallInU, ///< u calls a function of its own
  kEnterInner,
  kAccessInner,
  kFirstGlobalOfU, ///< u and v use two globals of a file
  kSecondGlobalOfU,
  kFirstGlobalOfV,
  kSecondGlobalOfV,
  kEnterOuter, ///< a function with no object that calls u
  kCallOuter,
  kCallUInOuter,
  kCallInInner,
  kSites,
};

SiteEntry site(uint32_t id, SiteKind kind, const std::string& function) {
  SiteEntry entry;
  entry.identity = static_cast<SiteIdentity>(10'000 + id);
  entry.kind = kind;
  entry.linkageName = function;
  return entry;
}

SiteCatalog catalog() {
  std::vector<SiteEntry> entries(kSites);
  for (uint32_t id = 1; id < kSites; ++id)
    entries[id] = site(id, SiteKind::Read, "u");
  entries[kThreadStart] = site(kThreadStart, SiteKind::Call, "std_invoke");
  entries[kThreadStart].flags = kSiteLibrary;
  for (uint32_t id : {kCallU, kCallV})
    entries[id] = site(id, SiteKind::Call, "worker");
  for (uint32_t id : {kFirstV, kSecondV})
    entries[id] = site(id, SiteKind::Read, "v");
  entries[kCallInU] = site(kCallInU, SiteKind::Call, "u");
  entries[kAccessInner] = site(kAccessInner, SiteKind::Read, "inner");
  auto enter = [&](uint32_t id, const std::string& function) {
    entries[id] = site(id, SiteKind::Enter, function);
    entries[id].object = "Pair";
    entries[id].size = 24;
    entries[id].callee = "first:0+8;second:8+8;id:16+8c";
  };
  enter(kEnterU, "u");
  enter(kEnterV, "v");
  enter(kEnterInner, "inner");
  for (uint32_t id : {kFirstGlobalOfU, kSecondGlobalOfU, kFirstGlobalOfV, kSecondGlobalOfV}) {
    enter(id, id < kFirstGlobalOfV ? "u" : "v");
    entries[id].flags = kSiteGlobal;
    entries[id].object = "file.c";
    entries[id].size = 8;
    bool first = id == kFirstGlobalOfU || id == kFirstGlobalOfV;
    entries[id].callee = first ? "one:0+8" : "two:0+8";
  }
  entries[kEnterOuter] = site(kEnterOuter, SiteKind::Enter, "outer");
  entries[kEnterOuter].flags = kSiteCallees | kSiteUndeclared;
  entries[kCallOuter] = site(kCallOuter, SiteKind::Call, "worker");
  entries[kCallInInner] = site(kCallInInner, SiteKind::Call, "inner");
  entries[kCallUInOuter] = site(kCallUInOuter, SiteKind::Call, "outer");
  return SiteCatalog(entries);
}

/// The same with an entry of the outer function that counts for the set; empty: for all objects.
SiteCatalog catalogWithOuter(const std::string& set) {
  SiteCatalog known = catalog();
  std::vector<SiteEntry> entries(known.entries().begin(), known.entries().end());
  entries.insert(entries.begin(), SiteEntry());
  entries[kEnterOuter].flags = set.empty() ? kSiteCallees : kSiteCallees | kSiteGlobal;
  entries[kEnterOuter].object = set;
  return SiteCatalog(entries);
}

/// What a test says of one access: whose unit, what it does.
struct Access {
  uint32_t unit; ///< 0: u in thread 1; 1: v in thread 2
  bool write;
  uint64_t address;
};

class Trace : public TraceBuilder {
public:
  Trace() {
    start(0, 1);
    start(0, 2);
  }
  /// The thread's unit begins: called from the thread's first function.
  Trace& enter(uint32_t thread, uint32_t call, uint32_t entry, uint64_t object = kObject) {
    add(thread, EventKind::Frame, 0, call, 0);
    add(thread, EventKind::Enter, object, entry, 24);
    return *this;
  }
  Trace& enterU() { return enter(1, kCallU, kEnterU); }
  Trace& enterV() { return enter(2, kCallV, kEnterV); }
  Trace& access(const Access& access, uint32_t site) {
    uint32_t thread = access.unit + 1;
    access.write ? write(thread, access.address, site, 8) : read(thread, access.address, site, 8);
    return *this;
  }
  /// Both units one after the other, each access with the locks that `around` puts around it.
  template <typename Around>
  static Trace serial(const std::vector<Access>& accesses, Around around) {
    Trace trace;
    for (uint32_t unit : {0u, 1u}) {
      unit == 0 ? trace.enterU() : trace.enterV();
      uint32_t site = unit == 0 ? kFirstU : kFirstV;
      around(trace, unit, /*begins=*/true, 0);
      uint32_t number = 0;
      for (const Access& one : accesses) {
        if (one.unit != unit)
          continue;
        around(trace, unit, true, ++number);
        trace.access(one, site++);
        around(trace, unit, false, number);
      }
      around(trace, unit, /*begins=*/false, 0);
    }
    return trace;
  }
};

/// A lock around each access of its own.
void lockEach(Trace& trace, uint32_t unit, bool begins, uint32_t access) {
  if (access != 0)
    begins ? trace.lock(unit + 1, kLock) : trace.unlock(unit + 1, kLock);
}
/// A lock around the whole unit.
void lockAll(Trace& trace, uint32_t unit, bool begins, uint32_t access) {
  if (access == 0)
    begins ? trace.lock(unit + 1, kLock) : trace.unlock(unit + 1, kLock);
}
/// u keeps the lock from one access to the other, v takes it for its first access only.
void lockAllOfUAndOneOfV(Trace& trace, uint32_t unit, bool begins, uint32_t access) {
  if ((unit == 0 && access == 0) || (unit == 1 && access == 1))
    begins ? trace.lock(unit + 1, kLock) : trace.unlock(unit + 1, kLock);
}

std::vector<PredictedPattern> predict(const TraceBuilder& trace) {
  AtomicityPrediction prediction;
  prediction.add(trace.events());
  return prediction.patterns(catalog());
}

/// The numbers, with u' and u as they are called where u is the function v.
std::set<uint32_t> numbersOf(const TraceBuilder& trace, uint32_t entryOfU = kEnterU) {
  std::set<uint32_t> numbers;
  for (const PredictedPattern& pattern : predict(trace))
    if (raw(pattern.units[0].entry) == entryOfU)
      numbers.insert(pattern.number);
  return numbers;
}

/// The accesses of each pattern in the order of the pattern.
std::vector<Access> accessesOf(uint32_t number) {
  std::vector<Access> accesses;
  AccessPattern pattern = accessPattern(number, PatternForm::InOrder);
  for (uint32_t i = 0; i < pattern.stepCount; ++i) {
    const PatternStep& step = pattern.steps[i];
    accesses.push_back({step.unit, step.write, step.locations == 1 ? kM1 : kM2});
  }
  return accesses;
}

TEST(AtomicityPrediction, EndsWhenItIsTold) {
  Trace trace;
  trace.enterU();
  trace.access({0, false, kM1}, kFirstU);
  trace.access({0, false, kM1}, kSecondU);
  trace.enterV();
  trace.access({1, true, kM1}, kFirstV);
  ASSERT_FALSE(predict(trace).empty());
  AtomicityPrediction stopped;
  stopped.setLimits([] { return true; }, nullptr);
  stopped.add(trace.events());
  EXPECT_TRUE(stopped.patterns(catalog()).empty());
  EXPECT_TRUE(stopped.isCut());
  AtomicityPrediction shortOfMemory;
  shortOfMemory.setLimits(nullptr, [] { return true; });
  shortOfMemory.add(trace.events());
  EXPECT_TRUE(shortOfMemory.patterns(catalog()).empty());
  EXPECT_TRUE(shortOfMemory.isCut());
}

TEST(AtomicityPrediction, AsksOftenWhateverTheTraceIsLike) {
  constexpr uint64_t kAccesses = 100'000;
  Trace trace;
  trace.enterU();
  for (uint64_t i = 0; i < kAccesses; ++i)
    trace.access({0, true, kM1}, kFirstU);
  trace.enterV();
  trace.access({1, true, kM1}, kFirstV);
  uint64_t asked = 0;
  AtomicityPrediction prediction;
  prediction.setLimits([&] { return ++asked == 0; }, nullptr);
  prediction.add(trace.events());
  (void)prediction.patterns(catalog());
  // Reading takes most of the time: a few hundred events at once.
  EXPECT_GT(asked, kAccesses / 1000);
  EXPECT_FALSE(prediction.isCut());
}

TEST(StopPoll, AsksFirstAndAfterSomeWorkUntilTheAnswerIsYes) {
  uint64_t asked = 0;
  StopPoll mustStop([&] { return ++asked == 3; });
  EXPECT_FALSE(mustStop());
  EXPECT_EQ(asked, 1u);
  for (int i = 0; i < 1000; ++i)
    EXPECT_FALSE(mustStop());
  EXPECT_EQ(asked, 1u);
  EXPECT_FALSE(mustStop(1'000'000));
  EXPECT_EQ(asked, 2u);
  EXPECT_TRUE(mustStop(1'000'000));
  EXPECT_TRUE(mustStop(1'000'000));
  EXPECT_EQ(asked, 3u) << "it has said so";
  EXPECT_FALSE(StopPoll(nullptr)(1'000'000));
}

TEST(AtomicityPrediction, DividesUnitsAtWaits) {
  // u looks, waits until it is told, and looks again; v writes in between. That is what waits are
  // for.
  auto run = [](std::optional<EventKind> wait) {
    Trace trace;
    trace.enterU();
    trace.lock(1, kLock);
    trace.access({0, false, kM1}, kFirstU);
    if (wait)
      trace.add(1, *wait, kOther, kFirstU, 0);
    trace.unlock(1, kLock);
    trace.lock(1, kLock);
    trace.access({0, false, kM1}, kSecondU);
    trace.unlock(1, kLock);
    trace.enterV();
    trace.lock(2, kLock);
    trace.access({1, true, kM1}, kFirstV);
    trace.unlock(2, kLock);
    return numbersOf(trace);
  };
  EXPECT_EQ(run(std::nullopt), std::set<uint32_t>{2});
  for (EventKind wait :
       {EventKind::CondWait, EventKind::ThreadJoin, EventKind::BarrierWait, EventKind::FutexWait})
    EXPECT_EQ(run(wait), std::set<uint32_t>{}) << eventKindText(wait);
  EXPECT_EQ(run(EventKind::SemWait), std::set<uint32_t>{2}) << "it may be a lock";
}

TEST(AtomicityPrediction, DividesUnitsAtTheLibrarysBarriers) {
  auto run = [](const std::string& function, bool byCaller) {
    Trace trace;
    trace.enterU().read(1, kM1, kFirstU, 8);
    trace.add(1, EventKind::Frame, 0, kCallInU, 1);
    if (byCaller)
      trace.add(1, EventKind::Frame, 0, kCallInInner, 2);
    trace.add(1, EventKind::AtomicUpdate, kOther, kAccessInner, 1);
    trace.add(1, EventKind::Frame, 0, 0, 1);
    trace.read(1, kM1, kSecondU, 8);
    trace.enterV().write(2, kM1, kFirstV, 8);
    SiteCatalog known = catalog();
    std::vector<SiteEntry> entries(known.entries().begin(), known.entries().end());
    entries.insert(entries.begin(), SiteEntry());
    entries[byCaller ? kCallInInner : kAccessInner].linkageName = function;
    AtomicityPrediction prediction;
    prediction.add(trace.events());
    return prediction.patterns(SiteCatalog(entries)).size();
  };
  EXPECT_EQ(run("_ZNSt14__tree_barrierISt26__empty_completionE8_M_arriveEht", true), 0u);
  EXPECT_EQ(run("_ZNSt5latch10count_downEl", false), 0u);
  EXPECT_EQ(run("_ZNSt6atomicIiE9fetch_addEi", true), 1u);
}

TEST(AtomicityPrediction, NobodyIsDisturbedInMemoryThatNobodyElseKnows) {
  // v makes a new block for the object, fills it, and then writes where it is; u reads where it is
  // and what it has.
  constexpr uint64_t kBlock = 0x9000;
  auto run = [](bool publishesFirst) {
    Trace trace;
    trace.enterV().add(2, EventKind::Allocate, kBlock, kFirstV, 16);
    trace.lock(2, kLock);
    if (!publishesFirst)
      trace.write(2, kBlock, kFirstV, 8);
    trace.write(2, kM1, kSecondV, 8);
    if (publishesFirst)
      trace.unlock(2, kLock).lock(2, kLock).write(2, kBlock, kFirstV, 8);
    trace.unlock(2, kLock);
    trace.enterU().lock(1, kLock).read(1, kM1, kFirstU, 8).unlock(1, kLock);
    trace.lock(1, kLock).read(1, kBlock, kSecondU, 8).unlock(1, kLock);
    return predict(trace).size();
  };
  EXPECT_EQ(run(false), 0u);
  EXPECT_GT(run(true), 0u) << "others can see it before it is filled";
}

class EachPattern : public testing::TestWithParam<uint32_t> {};

TEST_P(EachPattern, IsPredictedFromASerialRunWithALockPerAccess) {
  uint32_t number = GetParam();
  std::set<uint32_t> expected{number};
  // Who alternates with the accesses of u could also come between them, in the other order.
  if (isInterleaved(number))
    expected.insert(number == 7 ? 6 : number == 10 ? 9 : 8);
  EXPECT_EQ(numbersOf(Trace::serial(accessesOf(number), lockEach)), expected);
}

TEST_P(EachPattern, IsPredictedWithoutAnyLock) {
  uint32_t number = GetParam();
  auto none = [](Trace&, uint32_t, bool, uint32_t) {};
  EXPECT_TRUE(numbersOf(Trace::serial(accessesOf(number), none)).contains(number));
}

TEST_P(EachPattern, IsForbiddenByOneLockAroundBothUnits) {
  EXPECT_EQ(predict(Trace::serial(accessesOf(GetParam()), lockAll)).size(), 0u);
}

/// F_LS of the paper intersects the locks of all four events and lets this pass.
TEST_P(EachPattern, IsForbiddenByALockThatUKeepsAndVNeedsOnce) {
  EXPECT_EQ(numbersOf(Trace::serial(accessesOf(GetParam()), lockAllOfUAndOneOfV)),
            std::set<uint32_t>());
}

TEST_P(EachPattern, IsForbiddenByTheStartOfTheOtherThread) {
  Trace trace;
  std::vector<Access> accesses = accessesOf(GetParam());
  trace.enterU();
  uint32_t site = kFirstU;
  for (const Access& access : accesses)
    if (access.unit == 0)
      trace.access(access, site++);
  trace.start(1, 3); // thread 3 makes the accesses of u'
  trace.enter(3, kCallV, kEnterV);
  site = kFirstV;
  for (const Access& access : accesses)
    if (access.unit == 1)
      access.write ? trace.write(3, access.address, site++, 8)
                   : trace.read(3, access.address, site++, 8);
  EXPECT_EQ(predict(trace).size(), 0u);
}

TEST_P(EachPattern, IsForbiddenByAJoinBeforeTheOtherUnit) {
  Trace trace;
  std::vector<Access> accesses = accessesOf(GetParam());
  trace.enterU();
  uint32_t site = kFirstU;
  for (const Access& access : accesses)
    if (access.unit == 0)
      trace.access(access, site++);
  trace.finish(1).join(2, 1);
  trace.enterV();
  site = kFirstV;
  for (const Access& access : accesses)
    if (access.unit == 1)
      trace.access(access, site++);
  EXPECT_EQ(predict(trace).size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Table1, EachPattern, testing::Range(1u, kPatternCount + 1));

TEST(AtomicityPrediction, NamesSetMembersAndWhereTheUnitsWere) {
  auto patterns = predict(Trace::serial(accessesOf(9), lockEach));
  std::erase_if(patterns, [](const auto& p) { return raw(p.units[0].entry) != kEnterU; });
  ASSERT_EQ(patterns.size(), 1u);
  EXPECT_EQ(patterns[0].set, "Pair");
  EXPECT_EQ(patterns[0].members[0], "first");
  EXPECT_EQ(patterns[0].members[1], "second");
  EXPECT_EQ(patterns[0].units[0].thread, 1u);
  EXPECT_EQ(patterns[0].units[0].object, kObject);
  EXPECT_EQ(patterns[0].units[0].occurrence, 1u);
  EXPECT_EQ(patterns[0].units[1].thread, 2u);
  EXPECT_EQ(patterns[0].windowLocks[0], 1u) << "u has to give its only lock back";
  std::vector<uint32_t> sites;
  for (const PatternAccess& step : patterns[0].steps)
    sites.push_back(raw(step.site));
  EXPECT_EQ(sites, (std::vector<uint32_t>{kFirstU, kFirstV, kSecondV, kSecondU}));
}

TEST(AtomicityPrediction, AnAcquisitionBetweenTheAccessesInTheWindowForbidsIt) {
  // v writes both without the lock, but needs it in between, and u keeps it.
  Trace trace;
  trace.enterU().lock(1, kLock).read(1, kM1, kFirstU, 8).read(1, kM2, kSecondU, 8);
  trace.unlock(1, kLock);
  trace.enterV().write(2, kM1, kFirstV, 8).lock(2, kLock).unlock(2, kLock);
  trace.write(2, kM2, kSecondV, 8);
  EXPECT_FALSE(numbersOf(trace).contains(9));
}

TEST(AtomicityPrediction, AnotherLockThatIsGivenBackDoesNotOpenTheWindow) {
  Trace trace;
  trace.enterU().lock(1, kLock).lock(1, kOther).read(1, kM1, kFirstU, 8).unlock(1, kOther);
  trace.lock(1, kOther).read(1, kM2, kSecondU, 8).unlock(1, kOther).unlock(1, kLock);
  trace.enterV().lock(2, kLock).lock(2, kOther);
  trace.write(2, kM1, kFirstV, 8).write(2, kM2, kSecondV, 8);
  trace.unlock(2, kOther).unlock(2, kLock);
  EXPECT_EQ(predict(trace).size(), 0u);
}

TEST(AtomicityPrediction, ReadersUnderASharedLockDoNotExcludeEachOther) {
  auto build = [](EventKind ofV) {
    Trace trace;
    trace.enterU();
    trace.add(1, EventKind::WriteLock, kLock).write(1, kM1, kFirstU, 8);
    trace.write(1, kM1, kSecondU, 8).add(1, EventKind::RwUnlock, kLock);
    trace.enterV();
    trace.add(2, ofV, kLock).read(2, kM1, kFirstV, 8).add(2, EventKind::RwUnlock, kLock);
    return trace;
  };
  EXPECT_EQ(predict(build(EventKind::ReadLock)).size(), 0u);
  Trace both;
  both.enterU();
  both.add(1, EventKind::ReadLock, kLock).read(1, kM1, kFirstU, 8).read(1, kM1, kSecondU, 8);
  both.add(1, EventKind::RwUnlock, kLock);
  both.enterV();
  both.add(2, EventKind::ReadLock, kLock).write(2, kM1, kFirstV, 8);
  both.add(2, EventKind::RwUnlock, kLock);
  EXPECT_EQ(numbersOf(both), std::set{2u}) << "two read locks keep nobody out";
}

TEST(AtomicityPrediction, TheFirstFunctionOfAThreadIsNoUnit) {
  Trace trace;
  trace.add(1, EventKind::Frame, 0, kThreadStart, 0).add(1, EventKind::Enter, kObject, kEnterU, 24);
  trace.read(1, kM1, kFirstU, 8).read(1, kM1, kSecondU, 8);
  trace.enterV().write(2, kM1, kFirstV, 8);
  EXPECT_EQ(predict(trace).size(), 0u);
}

/// A function without objects calls u twice, which reads one member (or global) each time; v writes
/// both at once.
class CalledTwice : public Trace {
public:
  explicit CalledTwice(bool globals = false) : globals_(globals) {
    add(1, EventKind::Frame, 0, kCallOuter, 0).add(1, EventKind::Enter, 0, kEnterOuter, 0);
    for (uint64_t member : {kM1, kM2}) {
      add(1, EventKind::Frame, 0, kCallUInOuter, 1);
      enterWith(1, kEnterU, kFirstGlobalOfU);
      lock(1, kLock).read(1, member, member == kM1 ? kFirstU : kSecondU, 8).unlock(1, kLock);
    }
    add(2, EventKind::Frame, 0, kCallV, 0);
    enterWith(2, kEnterV, kFirstGlobalOfV);
    lock(2, kLock).write(2, kM1, kFirstV, 8).write(2, kM2, kSecondV, 8).unlock(2, kLock);
  }

private:
  void enterWith(uint32_t thread, uint32_t entry, uint32_t firstGlobal) {
    if (!globals_)
      add(thread, EventKind::Enter, kObject, entry, 24);
    else
      add(thread, EventKind::Enter, kM1, firstGlobal, 8)
          .add(thread, EventKind::Enter, kM2, firstGlobal + 1, 8);
  }
  bool globals_;
};

std::vector<PredictedPattern> predictWith(const TraceBuilder& trace, const SiteCatalog& sites,
                                          const std::set<std::string>& declared = {}) {
  AtomicityPrediction prediction;
  prediction.declareUnits(declared);
  prediction.add(trace.events());
  return prediction.patterns(sites);
}

TEST(AtomicityPrediction, ADeclaredFunctionIsAUnitForWhatItsCalleesUse) {
  EXPECT_EQ(predict(CalledTwice()).size(), 0u) << "nobody says that the outer function is a unit";
  for (const auto& patterns : {predictWith(CalledTwice(), catalog(), {"outer"}),
                               predictWith(CalledTwice(), catalogWithOuter(""))}) {
    ASSERT_EQ(patterns.size(), 1u);
    EXPECT_EQ(patterns[0].number, 9u);
    EXPECT_EQ(raw(patterns[0].units[0].entry), kEnterOuter) << "where the unit begins";
    EXPECT_EQ(patterns[0].units[0].object, 0u) << "as that entry has none";
    EXPECT_EQ(patterns[0].set, "Pair") << "as u's entry describes it";
    EXPECT_EQ(patterns[0].members[1], "second");
  }
}

TEST(AtomicityPrediction, ADeclaredFunctionIsAUnitForWhatItReachesItself) {
  Trace trace;
  trace.enterV().lock(2, kLock).write(2, kM1, kFirstV, 8).write(2, kM2, kSecondV, 8);
  trace.unlock(2, kLock);
  trace.add(1, EventKind::Frame, 0, kCallOuter, 0).add(1, EventKind::Enter, 0, kEnterOuter, 0);
  trace.lock(1, kLock).read(1, kM1, kCallUInOuter, 8).unlock(1, kLock);
  trace.lock(1, kLock).read(1, kM2, kCallUInOuter, 8).unlock(1, kLock);
  EXPECT_EQ(predict(trace).size(), 0u);
  EXPECT_EQ(predictWith(trace, catalog(), {"outer"}).size(), 1u);
}

TEST(AtomicityPrediction, AFunctionOfAFileIsAUnitForTheGlobalsThatItsCalleesUse) {
  auto patterns = predictWith(CalledTwice(/*globals=*/true), catalogWithOuter("file.c"));
  ASSERT_EQ(patterns.size(), 1u);
  EXPECT_EQ(patterns[0].number, 9u);
  EXPECT_EQ(raw(patterns[0].units[0].entry), kEnterOuter);
  EXPECT_TRUE(patterns[0].globals);
  EXPECT_EQ(patterns[0].members[0], "one");
  EXPECT_EQ(predictWith(CalledTwice(true), catalogWithOuter("other.c")).size(), 0u);
  EXPECT_EQ(predictWith(CalledTwice(false), catalogWithOuter("file.c")).size(), 0u)
      << "other objects are not adopted";
}

TEST(AtomicityPrediction, EachExecutionOfAnAdoptingUnitIsItsOwn) {
  Trace trace;
  for (uint32_t access : {kFirstU, kSecondU}) {
    trace.add(1, EventKind::Frame, 0, kCallOuter, 0).add(1, EventKind::Enter, 0, kEnterOuter, 0);
    trace.enter(1, kCallUInOuter, kEnterU).read(1, kM1, access, 8);
  }
  trace.enterV().write(2, kM1, kFirstV, 8);
  EXPECT_EQ(predictWith(trace, catalog(), {"outer"}).size(), 0u);
}

TEST(AtomicityPrediction, EachExecutionOfAUnitIsItsOwn) {
  Trace trace;
  trace.enterU().read(1, kM1, kFirstU, 8);
  trace.enterU().read(1, kM1, kSecondU, 8);
  trace.enterV().write(2, kM1, kFirstV, 8);
  EXPECT_EQ(predict(trace).size(), 0u) << "the two reads are in two units";
}

TEST(AtomicityPrediction, TheOutermostUnitCounts) {
  // u calls inner twice; each execution of inner alone reads once.
  Trace trace;
  trace.enterU();
  for (int i = 0; i < 2; ++i) {
    trace.add(1, EventKind::Frame, 0, kCallInU, 1)
        .add(1, EventKind::Enter, kObject, kEnterInner, 24);
    trace.read(1, kM1, kAccessInner, 8);
  }
  trace.enterV().write(2, kM1, kFirstV, 8);
  auto patterns = predict(trace);
  ASSERT_EQ(patterns.size(), 1u);
  EXPECT_EQ(patterns[0].number, 2u);
  EXPECT_EQ(raw(patterns[0].units[0].entry), kEnterU);
}

TEST(AtomicityPrediction, AUnitThatAnExceptionLeavesIsOver) {
  Trace trace;
  trace.enterU().read(1, kM1, kFirstU, 8);
  trace.add(1, EventKind::Frame, 0, 0, 0); // back in the thread's first function
  trace.read(1, kM1, kThreadStart, 8);
  trace.enterV().write(2, kM1, kFirstV, 8);
  EXPECT_EQ(predict(trace).size(), 0u);
}

TEST(AtomicityPrediction, ConstantMembersAreInNoSet) {
  Trace trace;
  trace.enterU().read(1, kConstant, kFirstU, 8).read(1, kConstant, kSecondU, 8);
  trace.enterV().write(2, kConstant, kFirstV, 8);
  EXPECT_EQ(predict(trace).size(), 0u);
}

TEST(AtomicityPrediction, ObjectsAreApart) {
  Trace trace;
  trace.enterU().read(1, kM1, kFirstU, 8).read(1, kM2, kSecondU, 8);
  trace.enter(2, kCallV, kEnterV, 0x5000);
  trace.write(2, 0x5000, kFirstV, 8).write(2, 0x5008, kSecondV, 8);
  EXPECT_EQ(predict(trace).size(), 0u);
}

TEST(AtomicityPrediction, MemoryThatWasFreedInBetweenIsAnotherObject) {
  Trace trace;
  trace.enterU().read(1, kM1, kFirstU, 8).read(1, kM1, kSecondU, 8);
  trace.add(1, EventKind::Free, kObject, 0, 24);
  trace.enterV().write(2, kM1, kFirstV, 8);
  EXPECT_EQ(predict(trace).size(), 0u);
}

TEST(AtomicityPrediction, ACopyOfBothMembersAtOnceIsOneStep) {
  Trace trace;
  trace.enterU().read(1, kM1, kFirstU, 8).read(1, kM2, kSecondU, 8);
  trace.enterV().write(2, kM1, kFirstV, 16);
  auto patterns = predict(trace);
  ASSERT_EQ(patterns.size(), 1u);
  EXPECT_EQ(patterns[0].number, 9u);
  EXPECT_EQ(patterns[0].form, PatternForm::Together);
  EXPECT_EQ(patterns[0].steps.size(), 3u);
}

TEST(AtomicityPrediction, GlobalsOfOneFileAreOneSet) {
  constexpr uint64_t kOne = 0x8000, kTwo = 0x9000;
  Trace trace;
  trace.enter(1, kCallU, kFirstGlobalOfU, kOne).add(1, EventKind::Enter, kTwo, kSecondGlobalOfU, 8);
  trace.read(1, kOne, kFirstU, 8).read(1, kTwo, kSecondU, 8);
  trace.enter(2, kCallV, kFirstGlobalOfV, kOne).add(2, EventKind::Enter, kTwo, kSecondGlobalOfV, 8);
  trace.write(2, kOne, kFirstV, 8).write(2, kTwo, kSecondV, 8);
  auto patterns = predict(trace);
  std::erase_if(patterns, [](const auto& p) { return p.number != 9; });
  ASSERT_EQ(patterns.size(), 1u);
  EXPECT_TRUE(patterns[0].globals);
  EXPECT_EQ(patterns[0].set, "file.c");
  EXPECT_EQ(patterns[0].members[0], "one");
  EXPECT_EQ(patterns[0].members[1], "two");
}

TEST(AtomicityPrediction, WhoComesSecondCouldHaveDoneWhatTheFirstOneDid) {
  Trace trace;
  trace.enterU().lock(1, kLock).read(1, kM1, kFirstU, 8).unlock(1, kLock);
  trace.lock(1, kLock).write(1, kM1, kSecondU, 8).unlock(1, kLock);
  trace.enter(2, kCallU, kEnterU).lock(2, kLock).read(2, kM1, kFirstU, 8).unlock(2, kLock);
  auto patterns = predict(trace);
  ASSERT_EQ(patterns.size(), 1u);
  EXPECT_EQ(patterns[0].number, 1u);
  EXPECT_EQ(patterns[0].count, 0u);
  EXPECT_EQ(patterns[0].units[0].thread, 1u);
  EXPECT_EQ(patterns[0].units[1].thread, 2u);
}

TEST(AtomicityPrediction, WhoComesSecondCouldNotWhileALockIsHeld) {
  Trace trace;
  trace.enterU().lock(1, kLock).read(1, kM1, kFirstU, 8);
  trace.write(1, kM1, kSecondU, 8).unlock(1, kLock);
  trace.enter(2, kCallU, kEnterU).lock(2, kLock).read(2, kM1, kFirstU, 8).unlock(2, kLock);
  EXPECT_EQ(predict(trace).size(), 0u);
}

/// A block that u's first unit allocates for the object, and two words in it.
constexpr uint64_t kBlock = 0x7000, kWord1 = kBlock, kWord2 = kBlock + 8;

TEST(AtomicityPrediction, WhatAUnitAllocatesBelongsToItsObject) {
  Trace trace;
  trace.enterU().add(1, EventKind::Allocate, kBlock, kFirstU, 16);
  trace.write(1, kM1, kFirstU, 8); // where it is
  trace.enterU().read(1, kWord1, kFirstU, 8).read(1, kWord2, kSecondU, 8);
  trace.enterV().write(2, kWord1, kFirstV, 8).write(2, kWord2, kSecondV, 8);
  auto patterns = predict(trace);
  std::erase_if(patterns, [](const auto& p) { return p.number != 9; });
  ASSERT_EQ(patterns.size(), 1u);
  EXPECT_TRUE(patterns[0].owned);
  EXPECT_EQ(patterns[0].set, "Pair");
  EXPECT_EQ(patterns[0].members[0], "an element");
}

TEST(AtomicityPrediction, WhatIsAllocatedOutsideUnitsBelongsToNobody) {
  Trace trace;
  trace.add(1, EventKind::Allocate, kBlock, kCallU, 16);
  trace.enterU().read(1, kWord1, kFirstU, 8).read(1, kWord2, kSecondU, 8);
  trace.enterV().write(2, kWord1, kFirstV, 8).write(2, kWord2, kSecondV, 8);
  EXPECT_EQ(predict(trace).size(), 0u);
}

TEST(AtomicityPrediction, OwnedMemoryThatWasFreedInBetweenIsAnother) {
  Trace trace;
  trace.enterU().add(1, EventKind::Allocate, kBlock, kFirstU, 16);
  trace.read(1, kWord1, kFirstU, 8).read(1, kWord2, kSecondU, 8);
  trace.add(1, EventKind::Free, kBlock, kFirstU, 16);
  trace.enterV().add(2, EventKind::Allocate, kBlock, kFirstV, 16);
  trace.write(2, kWord1, kFirstV, 8).write(2, kWord2, kSecondV, 8);
  EXPECT_EQ(predict(trace).size(), 0u);
}

TEST(AtomicityPrediction, AMillionUnitsThatAllocateTakeSeconds) {
  Trace trace;
  for (uint64_t i = 0; i < 500'000; ++i) {
    uint64_t block = 0x10000000 + (i % 1000) * 64;
    trace.enterU().add(1, EventKind::Allocate, block, kFirstU, 32);
    trace.write(1, block, kFirstU, 8);
    trace.enterV().lock(2, kLock).read(2, block, kFirstV, 8).unlock(2, kLock);
    trace.add(2, EventKind::Free, block, kFirstV, 32);
  }
  auto begin = std::chrono::steady_clock::now();
  predict(trace);
  auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_LT(seconds, 60);
}

TEST(AtomicityPrediction, AMillionEventsInALoopTakeSecondsAndGiveFewPatterns) {
  Trace trace;
  for (int i = 0; i < 100'000; ++i) {
    trace.enterU().lock(1, kLock).read(1, kM1, kFirstU, 8).unlock(1, kLock);
    trace.lock(1, kLock).read(1, kM2, kSecondU, 8).unlock(1, kLock);
    trace.enterV().lock(2, kLock).write(2, kM1, kFirstV, 8).write(2, kM2, kSecondV, 8);
    trace.unlock(2, kLock);
  }
  ASSERT_GT(trace.events().size(), 1'000'000u);
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(numbersOf(trace), std::set{9u});
  auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_LT(seconds, 60);
}

} // namespace
} // namespace heddle
