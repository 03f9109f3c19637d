#include "model/schedule_text.h"

#include <gtest/gtest.h>

#include <random>

namespace heddle {
namespace {

Decision decision(ThreadPath thread, uint64_t site, uint32_t occurrence, ThreadPath chosen,
                  DecisionKind kind = DecisionKind::Switch) {
  return {thread, static_cast<SiteIdentity>(site), chosen, occurrence, kind};
}

const ThreadPath kMain = ThreadPath::Main;
const ThreadPath kFirst = childPath(kMain, 1);
const ThreadPath kSecond = childPath(kMain, 2);
const ThreadPath kGrandchild = childPath(kSecond, 1);

ThreadNames names() {
  ThreadNames names;
  names.add(kMain, 1);
  names.add(kMain, 2);
  names.add(kSecond, 1);
  return names;
}

bool same(const Decision& a, const Decision& b) {
  return a.thread == b.thread && a.site == b.site && a.chosen == b.chosen &&
         a.occurrence == b.occurrence && a.kind == b.kind;
}

void expectRoundTrip(const Schedule& schedule) {
  std::string text = printSchedule(schedule, names());
  auto parsed = parseSchedule(text);
  ASSERT_TRUE(parsed) << parsed.error().message << " in " << text;
  EXPECT_EQ(parsed->points, schedule.points);
  EXPECT_EQ(parsed->pointsName, schedule.pointsName);
  EXPECT_EQ(parsed->timeAny, schedule.timeAny);
  EXPECT_EQ(parsed->spurious, schedule.spurious);
  EXPECT_EQ(parsed->untilIdle, schedule.untilIdle);
  EXPECT_EQ(parsed->maxSteps, schedule.maxSteps);
  EXPECT_EQ(parsed->timeBase, schedule.timeBase);
  EXPECT_EQ(parsed->seed, schedule.seed);
  EXPECT_EQ(parsed->windowFirst, schedule.windowFirst);
  EXPECT_EQ(parsed->windowLength, schedule.windowLength);
  EXPECT_EQ(parsed->thinFirst, schedule.thinFirst);
  EXPECT_EQ(parsed->thinLength, schedule.thinLength);
  EXPECT_EQ(parsed->thinSeed, schedule.thinSeed);
  EXPECT_EQ(parsed->thinSync, schedule.thinSync);
  EXPECT_EQ(parsed->digest, schedule.digest);
  EXPECT_EQ(parsed->target.kind, schedule.target.kind);
  ASSERT_EQ(parsed->target.roleCount, schedule.target.roleCount);
  for (uint32_t r = 0; r < schedule.target.roleCount; ++r) {
    EXPECT_EQ(parsed->target.roles[r].site, schedule.target.roles[r].site);
    EXPECT_EQ(parsed->target.roles[r].caller, schedule.target.roles[r].caller);
  }
  ASSERT_EQ(parsed->decisions.size(), schedule.decisions.size()) << text;
  for (size_t i = 0; i < schedule.decisions.size(); ++i)
    EXPECT_TRUE(same(parsed->decisions[i], schedule.decisions[i])) << i << " in " << text;
}

std::string errorOf(const std::string& text) {
  auto parsed = parseSchedule(text);
  return parsed ? "parsed" : parsed.error().message;
}

TEST(ThreadPathText, IsThePathOfCreation) {
  EXPECT_EQ(names().text(kMain), "0");
  EXPECT_EQ(names().text(kFirst), "1");
  EXPECT_EQ(names().text(kGrandchild), "2.1");
  EXPECT_EQ(parseThreadPath("0"), kMain);
  EXPECT_EQ(parseThreadPath("2"), kSecond);
  EXPECT_EQ(parseThreadPath("2.1"), kGrandchild);
}

TEST(ThreadPathText, UnknownThreadsKeepTheirHash) {
  ThreadPath unknown = childPath(kGrandchild, 7);
  std::string text = names().text(unknown);
  EXPECT_EQ(text[0], '~');
  EXPECT_EQ(parseThreadPath(text), unknown);
}

TEST(ThreadPathText, RefusesWhatIsNoPath) {
  for (const char* text : {"", "x", "1.", ".1", "1..2", "1.0", "-1", "~", "~xyz", "1 "})
    EXPECT_EQ(parseThreadPath(text), ThreadPath::None) << text;
}

TEST(ScheduleText, EmptyScheduleRoundTrips) { expectRoundTrip(Schedule{}); }

TEST(ScheduleText, AllFieldsRoundTrip) {
  Schedule schedule;
  schedule.points = PointSet::All;
  schedule.pointsName = "P-12ab";
  schedule.timeAny = schedule.spurious = schedule.untilIdle = true;
  schedule.maxSteps = 200000;
  schedule.timeBase = 1704067200000000000ull;
  schedule.seed = 42;
  schedule.windowFirst = 71234;
  schedule.windowLength = 1024;
  schedule.thinFirst = 16;
  schedule.thinLength = 256;
  schedule.thinSeed = 77;
  schedule.thinSync = 64;
  schedule.digest = 0xdeadbeefcafef00dull;
  schedule.decisions = {
      decision(kMain, 0x9f3a12345678ull, 4, kFirst),
      decision(kFirst, ~0ull, 1, kGrandchild, DecisionKind::Wake),
      decision(kGrandchild, 0, 3, kMain, DecisionKind::Timeout),
      decision(kMain, 0x9f3a12345678ull, 2, kSecond, DecisionKind::Spurious),
      decision(kMain, 0x9f3a12345678ull, 3, kMain, DecisionKind::Hang),
  };
  expectRoundTrip(schedule);
}

TEST(ScheduleText, TargetsRoundTrip) {
  auto site = [](uint64_t value) { return static_cast<SiteIdentity>(value); };
  Schedule schedule;
  schedule.points = PointSet::Sync;
  schedule.pointsName = "P-12ab";
  schedule.target.kind = TargetKind::Race;
  schedule.target.roleCount = 2;
  schedule.target.roles[0] = {site(0xab), SiteIdentity::None, 0};
  schedule.target.roles[1] = {site(~0ull), site(0x77), 0};
  schedule.decisions = {decision(kMain, 61, 4, kFirst)};
  expectRoundTrip(schedule);
  EXPECT_NE(printSchedule(schedule, names()).find(";target=race:ab+ffffffffffffffff/77;"),
            std::string::npos);
  schedule.target.kind = TargetKind::LockCycle;
  expectRoundTrip(schedule);
}

TEST(ScheduleText, SaysWhatIsWrongWithATarget) {
  EXPECT_NE(errorOf("heddle-1;target=both:1+2").find("race, cycle or set"), std::string::npos);
  EXPECT_NE(errorOf("heddle-1;target=race").find("':'"), std::string::npos);
  EXPECT_NE(errorOf("heddle-1;target=race:x").find("hexadecimal"), std::string::npos);
  EXPECT_NE(errorOf("heddle-1;target=cycle:1+2+3+4+5+6+7+8+9").find("at most 8"),
            std::string::npos);
}

TEST(ScheduleText, PatternsRoundTrip) {
  Schedule schedule;
  schedule.target.kind = TargetKind::AtomicSet;
  schedule.target.pattern = 9;
  schedule.target.form = PatternForm::Swapped;
  schedule.target.windowLocks[0] = 5;
  schedule.target.windowLocks[1] = 2;
  schedule.target.roleCount = 6;
  for (uint64_t r = 0; r < 6; ++r)
    schedule.target.roles[r] = {static_cast<SiteIdentity>(r + 1), SiteIdentity::None,
                                r < 4 ? 0xabc + r : 0};
  std::string text = printSchedule(schedule, names());
  EXPECT_NE(text.find(";target=set/9/1/5/2:1~abc+2~abd+3~abe+4~abf+5+6;"), std::string::npos)
      << text;
  auto parsed = parseSchedule(text);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->target.pattern, 9u);
  EXPECT_EQ(parsed->target.form, PatternForm::Swapped);
  EXPECT_EQ(parsed->target.windowLocks[0], 5u);
  EXPECT_EQ(parsed->target.windowLocks[1], 2u);
  EXPECT_EQ(parsed->target.owned, 0u);
  for (uint32_t r = 0; r < 6; ++r)
    EXPECT_EQ(parsed->target.roles[r].context, schedule.target.roles[r].context);
  schedule.target.owned = 1;
  text = printSchedule(schedule, names());
  EXPECT_NE(text.find(";target=set/9/1/5/2/1:1~abc"), std::string::npos) << text;
  parsed = parseSchedule(text);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->target.owned, 1u);
}

TEST(ScheduleText, SaysWhatIsWrongWithAPattern) {
  for (const char* wrong : {"set:1", "set/0/0/0/0:1", "set/12/0/0/0:1", "set/9/3/0/0:1", "set/9/0"})
    EXPECT_NE(errorOf(std::string("heddle-1;target=") + wrong), "") << wrong;
  EXPECT_NE(errorOf("heddle-1;target=set/9/0/0/0:1+2+3").find("6 sites"), std::string::npos);
  EXPECT_NE(errorOf("heddle-1;target=set/2/0/0/0:1+2+3+4+5+6").find("5 sites"), std::string::npos);
}

TEST(ScheduleText, IsReadable) {
  Schedule schedule;
  schedule.points = PointSet::Sync;
  schedule.decisions = {decision(kMain, 61, 4, kFirst), decision(kFirst, 61, 1, kMain)};
  std::string text = printSchedule(schedule, names());
  EXPECT_EQ(text.substr(0, text.find('!')), "heddle-1;points=sync;0@z#4>1,1$0#1>0");
}

TEST(ScheduleText, RepeatedPatternsAreShort) {
  Schedule schedule;
  for (uint32_t i = 1; i <= 1000; ++i) {
    schedule.decisions.push_back(decision(kMain, 111, i, kFirst));
    schedule.decisions.push_back(decision(kFirst, 222, 3 * i, kMain));
  }
  expectRoundTrip(schedule);
  EXPECT_LT(printSchedule(schedule, names()).size(), 120u);
}

TEST(ScheduleText, RandomSchedulesRoundTrip) {
  std::mt19937 random(7);
  const ThreadPath threads[] = {kMain, kFirst, kSecond, kGrandchild, childPath(kFirst, 9)};
  for (int round = 0; round < 200; ++round) {
    Schedule schedule;
    schedule.seed = random();
    size_t count = random() % 60;
    for (size_t i = 0; i < count; ++i)
      schedule.decisions.push_back(decision(threads[random() % 5], random() % 4 * 0x123456789ull,
                                            1 + random() % 3, threads[random() % 5],
                                            static_cast<DecisionKind>(random() % 4)));
    expectRoundTrip(schedule);
  }
}

TEST(ScheduleText, WhiteSpaceAroundAPasteIsIgnored) {
  std::string text = printSchedule(Schedule{}, names());
  EXPECT_TRUE(parseSchedule("  " + text + "\n"));
}

TEST(ScheduleText, EditedWithoutChecksumIsTaken) {
  auto parsed = parseSchedule("heddle-1;points=sync;0@z#4>1");
  ASSERT_TRUE(parsed) << parsed.error().message;
  ASSERT_EQ(parsed->decisions.size(), 1u);
  EXPECT_EQ(raw(parsed->decisions[0].site), 61u);
  EXPECT_EQ(parsed->decisions[0].occurrence, 4u);
}

TEST(ScheduleText, CutPasteIsNoticed) {
  Schedule schedule;
  schedule.decisions = {decision(kMain, 61, 4, kFirst), decision(kFirst, 61, 1, kMain)};
  std::string text = printSchedule(schedule, names());
  text.erase(text.size() - 8, 2);
  EXPECT_NE(errorOf(text).find("checksum"), std::string::npos) << errorOf(text);
}

TEST(ScheduleText, ErrorsNameThePosition) {
  EXPECT_EQ(errorOf("heddle-1;points=sync;0#4>1"),
            "schedule: position 23: expected '@' or '$' and a site after the thread");
  EXPECT_EQ(errorOf("heddle-1;points=sync;0@z#4"),
            "schedule: position 27: expected '>' and the thread that runs next");
  EXPECT_EQ(errorOf("heddle-1;points=sync;0@z#x>1"), "schedule: position 26: expected a number");
  EXPECT_EQ(errorOf("heddle-1;points=sync;a@z>1"),
            "schedule: position 22: expected a thread such as 0 or 2.1");
  EXPECT_EQ(errorOf("heddle-1;points=maybe;"),
            "schedule: position 22: expected sync, shared or all as value of 'points'");
  EXPECT_EQ(errorOf("heddle-1;0$3>1"),
            "schedule: position 13: site $3 was not introduced with '@' before");
  EXPECT_EQ(errorOf("heddle-1;[0@z>1"),
            "schedule: position 16: expected ']' at the end of a repeated group");
  EXPECT_EQ(errorOf("heddle-1;0@z>1 "), "parsed") << "trailing white space is no error";
  EXPECT_EQ(errorOf("heddle-1;0@z>1;"),
            "schedule: position 15: expected ',' or the end of the schedule");
}

TEST(ScheduleText, OtherVersionsAreNamed) {
  EXPECT_NE(errorOf("heddle-2;points=sync;").find("another version"), std::string::npos);
  EXPECT_NE(errorOf("H-3f2a").find("expected 'heddle-1;'"), std::string::npos);
  EXPECT_TRUE(looksLikeSchedule("heddle-2;"));
  EXPECT_FALSE(looksLikeSchedule("H-3f2a"));
}

TEST(ScheduleText, AbsurdRepeatsAreRefused) {
  EXPECT_NE(errorOf("heddle-1;[0@z>1]*99999999999").find("too large"), std::string::npos);
  EXPECT_NE(errorOf("heddle-1;[0@z>1,0$0>1]*4194304").find("too many decisions"),
            std::string::npos);
}

} // namespace
} // namespace heddle
