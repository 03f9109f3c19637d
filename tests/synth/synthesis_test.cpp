#include "figures.h"
#include "synth/synthesis.h"
#include "synth/test_body.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace heddle::synth::test {
namespace {

/// The tests with the members that they are about.
std::map<std::string, std::set<std::string>> testsOf(const Synthesis& synthesis) {
  std::map<std::string, std::set<std::string>> tests;
  for (const SynthesizedTest& test : synthesis.tests)
    for (const RacingPair& pair : test.pairs)
      tests[test.text].insert(pair.member);
  return tests;
}

std::string listOf(const std::map<std::string, std::set<std::string>>& tests) {
  std::string all;
  for (const auto& [text, members] : tests)
    all += text + "\n";
  return all;
}

std::set<std::string> reasonsOf(const Synthesis& synthesis) {
  std::set<std::string> reasons;
  for (const SkippedPair& skipped : synthesis.skipped)
    reasons.insert(skipped.pair.member + ": " + skipped.reason);
  return reasons;
}

using Tests = std::map<std::string, std::set<std::string>>;
using Reasons = std::set<std::string>;

TEST(Synthesis, Figure1SharesTheCounterAndNotTheLibrary) {
  Figure1 seed;
  seed.sequentialTest();
  Synthesis synthesis = synthesize(seed.trace, {});
  EXPECT_EQ(testsOf(synthesis), (Tests{{"lib3.set(counter1); lib4.set(counter1); "
                                        "lib3.update() || lib4.update()",
                                        {"Counter::count"}}}));
  EXPECT_EQ(synthesis.uncalledMethods, (std::vector<std::string>{"Counter::inc()"}));
  EXPECT_EQ(synthesis.methods.size(), 4u);
}

TEST(Synthesis, Figure13HasTheContextOfThePaper) {
  Figure13 seed;
  seed.sequentialTests();
  Tests tests = testsOf(synthesize(seed.trace, {}));
  std::string context = "z1.baz(x1); a5.bar(z1); a6.bar(z1); a5.foo(y5) || a6.foo(y6)";
  ASSERT_TRUE(tests.contains(context)) << listOf(tests);
  EXPECT_EQ(tests[context], (std::set<std::string>{"X::o"}));
}

TEST(Synthesis, Figure3WrapsOneQueueTwice) {
  Figure2 seed;
  seed.sequentialTest();
  Tests tests = testsOf(synthesize(seed.trace, {}));
  // The first queue is wrapped as in the sequential test, the second wraps the same.
  EXPECT_EQ(tests, (Tests{{"synchronizedWriteBehindQueue4 = "
                           "createSafeWriteBehindQueue(coalescedWriteBehindQueue2); "
                           "synchronizedWriteBehindQueue2.removeFirst() || "
                           "synchronizedWriteBehindQueue4.removeFirst()",
                           {"CoalescedWriteBehindQueue::size"}}}));
}

TEST(Synthesis, ALockOfTheSharedObjectProtects) {
  Figure1 seed;
  TypeId safe = seed.declareClass("Safe", 48);
  seed.field(safe, "m", 0, seed.mutex).field(safe, "n", 40, seed.integer);
  MethodId add = seed.method(safe, "add", {});
  seed.test("safe").call(add, {SeedBuilder::object(0x1000, safe)}).lock(0x1000).read(0x1028);
  seed.write(0x1028).unlock(0x1000).ret();
  Synthesis synthesis = synthesize(seed.trace, {});
  EXPECT_TRUE(synthesis.pairs.empty());
  EXPECT_TRUE(synthesis.tests.empty());
}

/// class Guarded { std::mutex* m; int n; }: a lock that is the same where the object is.
struct Guarded : SeedBuilder {
  Guarded() {
    guarded = declareClass("Guarded", 16);
    field(guarded, "m", 0, pointer(mutex)).field(guarded, "n", 8, integer);
    make = constructor(guarded, {pointer(mutex)});
    add = method(guarded, "add", {});
    peek = method(guarded, "peek", {}, integer, MethodKind::Member, true);
  }
  Guarded& makeOne() {
    test("guarded").clientObject(0x9000, mutex);
    call(make, {object(0x1000, guarded), object(0x9000, mutex)});
    writePointer(0x1000, 0x9000).write(0x1008).ret();
    return *this;
  }
  Guarded& callAdd() {
    call(add, {object(0x1000, guarded)}).readPointer(0x1000, 0x9000).lock(0x9000).read(0x1008);
    write(0x1008).unlock(0x9000).ret();
    return *this;
  }
  Guarded& callPeek() {
    call(peek, {object(0x1000, guarded)}).read(0x1008).ret(number(1));
    return *this;
  }
  TypeId guarded;
  MethodId make, add, peek;
};

TEST(Synthesis, ALockThatTheSharedObjectLeadsToProtects) {
  Guarded seed;
  seed.makeOne().callAdd();
  Synthesis synthesis = synthesize(seed.trace, {});
  EXPECT_TRUE(synthesis.tests.empty());
  EXPECT_EQ(reasonsOf(synthesis), (Reasons{"Guarded::n: both hold *this.m"}));
}

TEST(Synthesis, AnAccessWithoutTheLockMeetsThoseWithIt) {
  Guarded seed;
  seed.makeOne().callAdd().callPeek();
  EXPECT_EQ(testsOf(synthesize(seed.trace, {})),
            (Tests{{"guarded1.add() || guarded1.peek()", {"Guarded::n"}}}));
}

TEST(Synthesis, TheBasicContractLeavesSharedObjectsToTheCaller) {
  Guarded seed;
  seed.makeOne().callAdd().callPeek();
  SynthesisOptions options;
  options.contract = Contract::Basic;
  Synthesis synthesis = synthesize(seed.trace, options);
  EXPECT_TRUE(synthesis.tests.empty());
  Figure1 distinct;
  distinct.sequentialTest();
  EXPECT_EQ(synthesize(distinct.trace, options).tests.size(), 1u);
}

TEST(Synthesis, AMethodOfTheSharedObjectItself) {
  Figure1 seed;
  seed.sequentialTest().callInc();
  Tests tests = testsOf(synthesize(seed.trace, {}));
  EXPECT_TRUE(tests.contains("counter1.inc() || counter1.inc()"));
  EXPECT_TRUE(tests.contains("lib3.set(counter2); counter2.inc() || lib3.update()"))
      << listOf(tests);
}

TEST(Synthesis, GettersLeakAnObject) {
  SeedBuilder seed;
  TypeId counter = seed.declareClass("Counter", 4);
  TypeId owner = seed.declareClass("Owner", 48);
  seed.field(counter, "n", 0, seed.integer);
  seed.field(owner, "m", 0, seed.mutex).field(owner, "c", 40, seed.pointer(counter));
  MethodId make = seed.constructor(owner, {});
  MethodId get = seed.method(owner, "counter", {}, seed.reference(counter));
  MethodId step = seed.method(owner, "step", {});
  MethodId inc = seed.method(counter, "inc", {});
  seed.test("owner").call(make, {SeedBuilder::object(0x1000, owner)}).allocate(0x5000, counter);
  seed.writePointer(0x1028, 0x5000).ret();
  seed.call(get, {SeedBuilder::object(0x1000, owner)}).readPointer(0x1028, 0x5000);
  seed.ret(SeedBuilder::object(0x5000, counter));
  seed.call(inc, {SeedBuilder::object(0x5000, counter)}).read(0x5000).write(0x5000).ret();
  seed.call(step, {SeedBuilder::object(0x1000, owner)}).lock(0x1000).readPointer(0x1028, 0x5000);
  seed.write(0x5000).unlock(0x1000).ret();
  Tests tests = testsOf(synthesize(seed.trace, {}));
  EXPECT_TRUE(tests.contains("counter4 = owner3.counter(); counter4.inc() || owner3.step()"))
      << listOf(tests);
}

// A list that has elements only because the sequential test has put them there: a wrapper that
// is made anew gets that list, and not an empty one.
TEST(Synthesis, AWrapperThatIsMadeAnewGetsTheObjectAsTheTestHadIt) {
  SeedBuilder seed;
  TypeId list = seed.declareClass("List", 4);
  TypeId wrapper = seed.declareClass("Wrapper", 48);
  seed.field(list, "size", 0, seed.integer);
  seed.field(wrapper, "m", 0, seed.mutex).field(wrapper, "list", 40, seed.pointer(list));
  MethodId makeList = seed.constructor(list, {});
  MethodId make = seed.constructor(wrapper, {seed.pointer(list)});
  MethodId push = seed.method(wrapper, "push", {});
  MethodId pop = seed.method(wrapper, "pop", {});
  seed.test("list").call(makeList, {SeedBuilder::object(0x1000, list)}).write(0x1000).ret();
  seed.call(make, {SeedBuilder::object(0x2000, wrapper), SeedBuilder::object(0x1000, list)});
  seed.writePointer(0x2028, 0x1000).ret();
  for (MethodId method : {push, pop}) {
    seed.call(method, {SeedBuilder::object(0x2000, wrapper)}).lock(0x2000);
    seed.readPointer(0x2028, 0x1000).read(0x1000).write(0x1000).unlock(0x2000).ret();
  }
  Synthesis synthesis = synthesize(seed.trace, {});
  Tests tests = testsOf(synthesis);
  std::string expected = "wrapper4 = Wrapper(list2); wrapper2.pop() || wrapper4.pop()";
  ASSERT_TRUE(tests.contains(expected)) << listOf(tests);
  auto found = std::ranges::find(synthesis.tests, expected, &SynthesizedTest::text);
  synth::TestBody body(seed.trace, synthesis.calls, found->plan);
  EXPECT_EQ(body.problem(), "");
  EXPECT_EQ(body.objects(),
            (std::vector<std::string>{"  // As \"list\" has them when it calls Wrapper::pop.\n",
                                      "  List list2;\n", "  Wrapper wrapper2(&list2);\n",
                                      "  wrapper2.push();\n"}));
  EXPECT_EQ(body.setup(), (std::vector<std::string>{"  Wrapper wrapper4(&list2);\n"}));
}

// A static local is reached through the function that returns it, and calls that have nothing to
// do with it are left out.
TEST(Synthesis, ASingletonComesFromItsFunction) {
  SeedBuilder seed;
  TypeId registry = seed.declareClass("Registry", 4);
  TypeId other = seed.declareClass("Other", 4);
  seed.field(registry, "n", 0, seed.integer).field(other, "n", 0, seed.integer);
  seed.trace.globals.push_back({"Registry::instance::r", at(0x900), 4, registry, false});
  MethodId instance =
      seed.method(registry, "instance", {}, seed.reference(registry), MethodKind::Free);
  MethodId note = seed.method(registry, "note", {});
  MethodId use = seed.method(other, "use", {});
  for (int i = 0; i < 2; ++i) {
    seed.call(instance, {Value{}}).ret(SeedBuilder::object(0x900, registry));
    seed.call(note, {SeedBuilder::object(0x900, registry)}).read(0x900).write(0x900).ret();
  }
  seed.call(use, {SeedBuilder::object(0x5000, other)}).write(0x5000).ret();
  Synthesis synthesis = synthesize(seed.trace, {});
  for (const SynthesizedTest& test : synthesis.tests) {
    synth::TestBody body(seed.trace, synthesis.calls, test.plan);
    EXPECT_EQ(body.problem(), "");
    bool isRegistry = test.pairs.front().member == "Registry::n";
    std::string all;
    for (const std::string& line : body.objects())
      all += line;
    EXPECT_EQ(all.find("Registry::instance()") != std::string::npos, isRegistry) << all;
  }
  EXPECT_EQ(synthesis.tests.size(), 2u);
}

TEST(Synthesis, GlobalsAreSharedWithoutAContext) {
  SeedBuilder seed;
  TypeId user = seed.declareClass("User", 4);
  seed.trace.globals.push_back({"User::made", at(0x900), 4, seed.integer});
  seed.trace.globals.push_back({"User::locked", at(0x910), 4, seed.integer});
  seed.trace.globals.push_back({"lock", at(0x940), 40, seed.mutex});
  MethodId touch = seed.method(user, "touch", {});
  seed.test("user").call(touch, {SeedBuilder::object(0x1000, user)}).write(0x900).lock(0x940);
  seed.write(0x910).unlock(0x940).ret();
  Synthesis synthesis = synthesize(seed.trace, {});
  EXPECT_EQ(testsOf(synthesis), (Tests{{"user1.touch() || user2.touch()", {"User::made"}}}));
  EXPECT_EQ(synthesis.skipped.size(), 1u);
}

/// class Box { X* x; } with a setter through an intermediate object: class Shelf { Box* box; }.
struct Nested : SeedBuilder {
  Nested() {
    x = declareClass("X", 4);
    box = declareClass("Box", 8);
    shelf = declareClass("Shelf", 48);
    field(x, "n", 0, integer).field(box, "x", 0, pointer(x));
    field(shelf, "m", 0, mutex).field(shelf, "box", 40, pointer(box));
    makeX = constructor(x, {});
    makeBox = constructor(box, {});
    makeShelf = constructor(shelf, {});
    fill = method(box, "fill", {pointer(x)});
    put = method(shelf, "put", {pointer(box)});
    deep = method(shelf, "putX", {pointer(x)});
    use = method(shelf, "use", {});
    test("nested");
    call(makeX, {object(0x1000, x)}).write(0x1000).ret();
    call(makeBox, {object(0x2000, box)}).writePointer(0x2000, 0).ret();
    call(makeShelf, {object(0x3000, shelf)}).writePointer(0x3028, 0).ret();
  }
  Nested& callFill() {
    call(fill, {object(0x2000, box), object(0x1000, x)}).writePointer(0x2000, 0x1000).ret();
    return *this;
  }
  Nested& callPut() {
    call(put, {object(0x3000, shelf), object(0x2000, box)}).lock(0x3000);
    writePointer(0x3028, 0x2000).unlock(0x3000).ret();
    return *this;
  }
  Nested& callDeep() {
    call(deep, {object(0x3000, shelf), object(0x1000, x)}).lock(0x3000).readPointer(0x3028, 0x2000);
    writePointer(0x2000, 0x1000).unlock(0x3000).ret();
    return *this;
  }
  Nested& callUse() {
    call(use, {object(0x3000, shelf)}).lock(0x3000).readPointer(0x3028, 0x2000);
    readPointer(0x2000, 0x1000).write(0x1000).unlock(0x3000).ret();
    return *this;
  }
  TypeId x, box, shelf;
  MethodId makeX, makeBox, makeShelf, fill, put, deep, use;
};

TEST(Synthesis, ConcatPutsTwoSettersTogether) {
  Nested seed;
  seed.callFill().callPut().callUse();
  Tests tests = testsOf(synthesize(seed.trace, {}));
  EXPECT_TRUE(tests.contains("box1.fill(x1); shelf5.put(box1); shelf6.put(box1); "
                             "shelf5.use() || shelf6.use()"))
      << listOf(tests);
}

TEST(Synthesis, DeepSetGoesThroughAMember) {
  Nested seed;
  seed.callPut().callDeep().callUse();
  Tests tests = testsOf(synthesize(seed.trace, {}));
  EXPECT_TRUE(tests.contains("shelf3.putX(x1); shelf4.putX(x1); shelf3.use() || shelf4.use()"))
      << listOf(tests);
}

TEST(Synthesis, WithoutASetterAPrefixIsShared) {
  Nested seed;
  seed.callPut();
  seed.clientObject(0x1000, seed.x);
  SeedEvent& write = seed.add(EventKind::Write, 0x2000);
  write.byClient = true;
  write.isPointer = true;
  write.size = 8;
  write.pointer = at(0x1000);
  seed.callUse();
  Tests tests = testsOf(synthesize(seed.trace, {}));
  EXPECT_TRUE(tests.contains("shelf3.put(box1); shelf4.put(box1); shelf3.use() || shelf4.use()"))
      << listOf(tests);
}

TEST(Synthesis, ACallThatUndoesItsAssignmentIsHeld) {
  Figure1 seed;
  seed.test("swap").call(seed.makeLib, {SeedBuilder::object(0x1000, seed.lib)});
  seed.writePointer(0x1028, 0).ret();
  seed.call(seed.makeCounter, {SeedBuilder::object(0x2000, seed.counter)}).write(0x2000).ret();
  MethodId visit = seed.method(seed.lib, "visit", {seed.pointer(seed.counter)});
  seed.call(visit,
            {SeedBuilder::object(0x1000, seed.lib), SeedBuilder::object(0x2000, seed.counter)});
  seed.lock(0x1000).writePointer(0x1028, 0x2000).unlock(0x1000);
  seed.allocate(0x6000, seed.counter).lock(0x1000).writePointer(0x1028, 0x6000).unlock(0x1000);
  seed.ret();
  seed.call(seed.update, {SeedBuilder::object(0x1000, seed.lib)}).lock(0x1000);
  seed.readPointer(0x1028, 0x6000).write(0x6000).unlock(0x1000).ret();
  Synthesis synthesis = synthesize(seed.trace, {});
  ASSERT_EQ(synthesis.tests.size(), 1u);
  EXPECT_EQ(synthesis.tests[0].text, "lib3.visit(counter1) held; lib4.visit(counter1) held; "
                                     "lib3.update() || lib4.update()");
}

TEST(Synthesis, WhatHasOneOwnerCannotBeShared) {
  SeedBuilder seed;
  TypeId x = seed.declareClass("X", 4);
  TypeId owner = seed.declareClass("Owner", 48);
  TypeId unique = seed.edge(TypeKind::UniquePointer, x);
  seed.field(x, "n", 0, seed.integer);
  seed.field(owner, "m", 0, seed.mutex).field(owner, "x", 40, unique);
  MethodId set = seed.method(owner, "set", {unique});
  MethodId use = seed.method(owner, "use", {});
  seed.test("unique").allocate(0x2000, x);
  seed.call(set, {SeedBuilder::object(0x1000, owner), SeedBuilder::object(0x2000, x)});
  seed.lock(0x1000).writePointer(0x1028, 0x2000).unlock(0x1000).ret();
  seed.call(use, {SeedBuilder::object(0x1000, owner)}).lock(0x1000).readPointer(0x1028, 0x2000);
  seed.write(0x2000).unlock(0x1000).ret();
  Synthesis synthesis = synthesize(seed.trace, {});
  EXPECT_TRUE(synthesis.tests.empty());
  EXPECT_EQ(reasonsOf(synthesis), (Reasons{"X::n: both hold this.m"}));
}

TEST(Synthesis, ARawPointerThatTheDestructorFreesIsOwned) {
  Figure1 seed;
  seed.sequentialTest();
  MethodId destroy = seed.method(seed.lib, "~Lib", {}, TypeId::None, MethodKind::Destructor);
  seed.call(destroy, {SeedBuilder::object(0x1000, seed.lib)}).readPointer(0x1028, 0x2000);
  seed.release(0x2000).ret();
  Synthesis synthesis = synthesize(seed.trace, {});
  EXPECT_TRUE(synthesis.tests.empty());
}

TEST(Synthesis, AClassByValueIsACopy) {
  SeedBuilder seed;
  TypeId point = seed.declareClass("Point", 4);
  seed.field(point, "n", 0, seed.integer);
  MethodId take = seed.method(TypeId::None, "take", {point}, TypeId::None, MethodKind::Free);
  seed.test("copy").call(take, {Value{}, SeedBuilder::object(0x1000, point)}).write(0x1000).ret();
  Synthesis synthesis = synthesize(seed.trace, {});
  EXPECT_TRUE(synthesis.tests.empty());
  EXPECT_EQ(
      reasonsOf(synthesis),
      (Reasons{"Point::n: the object is a copy of the argument, so two calls never share it"}));
}

// { Old old; } std::mutex m; User user(&m): the mutex lies where another object was before.
TEST(Synthesis, AnObjectWithoutAConstructorIsNotTheOneThatWasThereBefore) {
  SeedBuilder seed;
  TypeId old = seed.declareClass("Old", 40);
  TypeId user = seed.declareClass("User", 16);
  seed.field(old, "n", 0, seed.integer);
  seed.field(user, "m", 0, seed.pointer(seed.mutex)).field(user, "n", 8, seed.integer);
  MethodId makeOld = seed.constructor(old, {});
  MethodId make = seed.constructor(user, {seed.pointer(seed.mutex)});
  MethodId set = seed.method(user, "set", {});
  seed.test("user").call(makeOld, {SeedBuilder::object(0x1000, old)}).write(0x1000).ret();
  seed.call(make, {SeedBuilder::object(0x2000, user), SeedBuilder::object(0x1000, seed.mutex)});
  seed.writePointer(0x2000, 0x1000).ret();
  seed.call(set, {SeedBuilder::object(0x2000, user)}).write(0x2008).ret();
  Synthesis synthesis = synthesize(seed.trace, {});
  ASSERT_EQ(synthesis.tests.size(), 1u);
  synth::TestBody body(seed.trace, synthesis.calls, synthesis.tests[0].plan);
  EXPECT_EQ(body.problem(), "");
  EXPECT_EQ(body.objects(),
            (std::vector<std::string>{"  // As \"user\" has them when it calls User::set.\n",
                                      "  std::mutex mutex1{};\n", "  User user1(&mutex1);\n"}));
}

// int out; queue.pop(out);
TEST(Synthesis, ANumberThatTheClientLendsIsNotShared) {
  SeedBuilder seed;
  TypeId queue = seed.declareClass("Queue", 4);
  MethodId pop = seed.method(queue, "pop", {seed.reference(seed.integer)});
  seed.test("pop").call(
      pop, {SeedBuilder::object(0x1000, queue), SeedBuilder::object(0x2000, seed.integer)});
  seed.write(0x2000).ret();
  EXPECT_TRUE(synthesize(seed.trace, {}).pairs.empty());
}

// class Ring { int* slots; } with slots = new int[8]: each slot is the same member.
TEST(Synthesis, AnArrayIsOneMember) {
  SeedBuilder seed;
  TypeId ring = seed.declareClass("Ring", 8);
  seed.field(ring, "slots", 0, seed.pointer(seed.integer));
  MethodId make = seed.constructor(ring, {});
  MethodId put = seed.method(ring, "put", {});
  seed.test("ring").call(make, {SeedBuilder::object(0x1000, ring)});
  seed.allocate(0x5000, TypeId::None, 32).writePointer(0x1000, 0x5000).ret();
  seed.call(put, {SeedBuilder::object(0x1000, ring)}).readPointer(0x1000, 0x5000).write(0x5010);
  seed.ret();
  EXPECT_EQ(testsOf(synthesize(seed.trace, {})), (Tests{{"ring1.put() || ring1.put()", {"int"}}}));
}

TEST(Synthesis, ConstructorsAreNoSides) {
  Figure1 seed;
  seed.test("make").call(seed.makeCounter, {SeedBuilder::object(0x2000, seed.counter)});
  seed.write(0x2000).ret();
  EXPECT_TRUE(synthesize(seed.trace, {}).pairs.empty());
}

TEST(Synthesis, AtomicAccessesDoNotRaceWithEachOther) {
  Figure1 seed;
  seed.test("atomic").call(seed.inc, {SeedBuilder::object(0x2000, seed.counter)}).write(0x2000);
  seed.last().isAtomic = true;
  seed.ret();
  EXPECT_TRUE(synthesize(seed.trace, {}).pairs.empty());
  seed.call(seed.update, {SeedBuilder::object(0x1000, seed.lib)}).readPointer(0x1028, 0x2000);
  seed.read(0x2000).ret();
  EXPECT_EQ(synthesize(seed.trace, {}).pairs.size(), 1u);
}

TEST(Synthesis, OrderOfTheTestsDoesNotChangeThePairs) {
  Figure13 seed;
  seed.sequentialTests();
  Figure13 shuffled;
  shuffled.sequentialTests();
  auto second = std::find_if(shuffled.trace.events.begin() + 1, shuffled.trace.events.end(),
                             [](const auto& e) { return e.kind == EventKind::TestBegin; });
  std::rotate(shuffled.trace.events.begin(), second, shuffled.trace.events.end());
  EXPECT_EQ(testsOf(synthesize(seed.trace, {})), testsOf(synthesize(shuffled.trace, {})));
}

TEST(Synthesis, OnlyTheNamedClasses) {
  Figure1 seed;
  seed.sequentialTest().callInc();
  SynthesisOptions options;
  options.classes = {"Counter"};
  for (const RacingPair& pair : synthesize(seed.trace, options).pairs)
    EXPECT_EQ(pair.member, "Counter::count");
  options.classes = {"Nothing"};
  EXPECT_TRUE(synthesize(seed.trace, options).pairs.empty());
}

} // namespace
} // namespace heddle::synth::test
