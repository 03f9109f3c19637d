#include "figures.h"
#include "synth/call_analysis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace heddle::synth::test {
namespace {

/// "W A::y <- arg1 writeable protected", one per access.
std::string textOf(const Access& access) {
  std::string text = access.isWrite ? "W " : "R ";
  MemberPath place{access.owners.empty() ? AccessPath{} : access.owners.front(), access.member};
  text += place.text() + " <- ";
  text += access.sources.empty() ? "⊥" : access.sources.front().text();
  return text + (access.writeable ? " writeable" : "") + (access.unprotected ? " unprotected" : "");
}

std::vector<std::string> accessesOf(const CallSummary& call) {
  std::vector<std::string> texts;
  for (const Access& access : call.accesses)
    texts.push_back(textOf(access));
  return texts;
}

std::set<std::string> placementsOf(const CallSummary& call) {
  std::set<std::string> texts;
  for (const Placement& placement : call.placements)
    texts.insert(placement.target.text() + " <- " + placement.source.text() +
                 (placement.lasts ? "" : " undone"));
  return texts;
}

using Texts = std::vector<std::string>;
using TextSet = std::set<std::string>;

// A: {4 -> (false,false), 5 -> (false,true), 6 -> (true,false)}
// D: {4 -> {⊥ <- I1.x}, 5 -> {I1.x.o <- ⊥}, 6 -> {I1.y <- I2}}
TEST(CallAnalysis, GivesTheAccessesOfFigures8And11) {
  Figure13 seed;
  seed.newX(0x1000).newA(0x2000, 0x1000).newY(0x3000).callFoo(0x2000, 0x1000, 0x3000);
  CallSummary foo = analyseCalls(seed.trace).back();
  EXPECT_EQ(accessesOf(foo),
            (Texts{"R this.x <- ⊥", "W this.x.o <- ⊥ unprotected", "W this.y <- arg1 writeable"}));
  EXPECT_EQ(placementsOf(foo), (TextSet{"this.y <- arg1"}));
  EXPECT_EQ(foo.accesses[1].locks.size(), 1u);
  EXPECT_EQ(foo.accesses[1].locks.front().path.text(), "this.m");
  EXPECT_EQ(foo.accesses[1].member.name(), "X::o");
}

TEST(CallAnalysis, FindsTheSettersOfFigure13) {
  Figure13 seed;
  seed.sequentialTests();
  std::vector<CallSummary> calls = analyseCalls(seed.trace);
  auto find = [&](MethodId method) {
    return *std::ranges::find_if(calls, [&](const auto& call) { return call.method == method; });
  };
  EXPECT_EQ(placementsOf(find(seed.bar)), (TextSet{"this.x <- arg1.w"}));
  EXPECT_EQ(placementsOf(find(seed.baz)), (TextSet{"this.w <- arg1"}));
  EXPECT_EQ(placementsOf(find(seed.makeA)), (TextSet{"this.x <- arg1"}));
}

// foo(z) { y := z; z := alloc; x := y.f; } : x is I_z.f, although z is another object by then.
TEST(CallAnalysis, KeepsTheParametersAsTheyWereAtEntry) {
  SeedBuilder seed;
  TypeId inner = seed.declareClass("Inner", 4);
  TypeId outer = seed.declareClass("Outer", 8);
  seed.field(inner, "n", 0, seed.integer).field(outer, "f", 0, seed.pointer(inner));
  MethodId foo =
      seed.method(TypeId::None, "foo", {seed.pointer(outer)}, TypeId::None, MethodKind::Free);
  seed.call(foo, {Value{}, SeedBuilder::object(0x1000, outer)}).allocate(0x5000, outer);
  seed.readPointer(0x1000, 0x2000).write(0x2000).writePointer(0x5000, 0x2000).ret();
  CallSummary call = analyseCalls(seed.trace).front();
  EXPECT_EQ(accessesOf(call),
            (Texts{"R arg1.f <- ⊥ unprotected", "W arg1.f.n <- ⊥ unprotected", "W ⊥ <- arg1.f"}));
}

// this.x = new X; t = this.x; t.o = 1: the object is not the one that this.x was at entry.
TEST(CallAnalysis, AFieldThatIsAssignedInsideIsNotTheFieldAtEntry) {
  Figure13 seed;
  seed.newX(0x1000).newA(0x2000, 0x1000);
  MethodId renew = seed.method(seed.a, "renew", {});
  seed.call(renew, {SeedBuilder::object(0x2000, seed.a)}).readPointer(0x2028, 0x1000).write(0x1000);
  seed.allocate(0x6000, seed.x).writePointer(0x2028, 0x6000).readPointer(0x2028, 0x6000);
  seed.write(0x6000).ret();
  CallSummary call = analyseCalls(seed.trace).back();
  EXPECT_EQ(accessesOf(call),
            (Texts{"R this.x <- ⊥ unprotected", "W this.x.o <- ⊥ unprotected",
                   "W this.x <- ⊥ unprotected", "R this.x <- ⊥ unprotected", "W ⊥ <- ⊥"}));
}

// foo(x, y) { x.f := y; w := alloc; w.z := x; return w; } : {I_r.z.f <- I_y, I_r.z <- I_x}
TEST(CallAnalysis, ReturnIsASetOfPathsIntoObjectsThatWereMadeInside) {
  SeedBuilder seed;
  TypeId y = seed.declareClass("Y", 4);
  TypeId x = seed.declareClass("X", 8);
  TypeId w = seed.declareClass("W", 8);
  seed.field(x, "f", 0, seed.pointer(y)).field(w, "z", 0, seed.pointer(x));
  MethodId foo = seed.method(TypeId::None, "foo", {seed.pointer(x), seed.pointer(y)},
                             seed.pointer(w), MethodKind::Free);
  seed.call(foo, {Value{}, SeedBuilder::object(0x1000, x), SeedBuilder::object(0x2000, y)});
  seed.writePointer(0x1000, 0x2000).allocate(0x3000, w).writePointer(0x3000, 0x1000);
  seed.ret(SeedBuilder::object(0x3000, w));
  CallSummary call = analyseCalls(seed.trace).front();
  EXPECT_EQ(placementsOf(call),
            (TextSet{"arg1.f <- arg2", "result.z <- arg1", "result.z.f <- arg2"}));
}

TEST(CallAnalysis, AResultByValueHasPathsToo) {
  SeedBuilder seed;
  TypeId y = seed.declareClass("Y", 4);
  TypeId view = seed.declareClass("View", 8);
  seed.field(view, "target", 0, seed.pointer(y));
  MethodId make = seed.method(TypeId::None, "view", {seed.reference(y)}, view, MethodKind::Free);
  seed.call(make, {Value{}, SeedBuilder::object(0x2000, y)}).writePointer(0x7000, 0x2000);
  seed.ret(SeedBuilder::object(0x7000, view));
  EXPECT_EQ(placementsOf(analyseCalls(seed.trace).front()), (TextSet{"result.target <- arg1"}));
}

TEST(CallAnalysis, AGetterReturnsAMember) {
  Figure13 seed;
  seed.newX(0x1000).newA(0x2000, 0x1000);
  MethodId get = seed.method(seed.a, "getX", {}, seed.pointer(seed.x));
  seed.call(get, {SeedBuilder::object(0x2000, seed.a)}).readPointer(0x2028, 0x1000);
  seed.ret(SeedBuilder::object(0x1000, seed.x));
  EXPECT_EQ(placementsOf(analyseCalls(seed.trace).back()), (TextSet{"result <- this.x"}));
}

TEST(CallAnalysis, TheClientsOwnLocksDoNotCount) {
  Figure1 seed;
  seed.sequentialTest();
  seed.lock(0x9000).last().byClient = true;
  seed.callInc();
  CallSummary inc = analyseCalls(seed.trace).back();
  ASSERT_EQ(inc.accesses.size(), 2u);
  EXPECT_TRUE(inc.accesses[1].unprotected);
  EXPECT_TRUE(inc.accesses[1].locks.empty());
}

TEST(CallAnalysis, AWriteUnderALockForReadingIsUnprotected) {
  Figure1 seed;
  seed.call(seed.update, {SeedBuilder::object(0x1000, seed.lib)}).lock(0x1000, true);
  seed.read(0x1028, 8).write(0x1028, 8).unlock(0x1000).ret();
  CallSummary call = analyseCalls(seed.trace).back();
  EXPECT_FALSE(call.accesses[0].unprotected);
  EXPECT_TRUE(call.accesses[1].unprotected);
}

// Members by value belong to their owner: its lock is the lock of the object itself.
TEST(CallAnalysis, MembersByValueBelongToTheirOwner) {
  SeedBuilder seed;
  TypeId stats = seed.declareClass("Stats", 8);
  TypeId shard = seed.declareClass("Shard", 48);
  seed.field(stats, "hits", 0, seed.integer).field(stats, "misses", 4, seed.integer);
  seed.field(shard, "m", 0, seed.mutex).field(shard, "stats", 40, stats);
  MethodId hit = seed.method(shard, "hit", {});
  seed.call(hit, {SeedBuilder::object(0x1000, shard)}).lock(0x1000).write(0x1028).unlock(0x1000);
  seed.write(0x102c).ret();
  CallSummary call = analyseCalls(seed.trace).front();
  EXPECT_EQ(accessesOf(call),
            (Texts{"W this.stats.hits <- ⊥", "W this.stats.misses <- ⊥ unprotected"}));
  EXPECT_EQ(call.accesses[0].member.name(), "Shard::stats.hits");
}

TEST(CallAnalysis, AMemberOfABaseClassHasItsName) {
  SeedBuilder seed;
  TypeId base = seed.declareClass("Base", 8);
  TypeId derived = seed.declareClass("Derived", 24);
  seed.field(base, "n", 0, seed.integer).base(derived, base, 16);
  MethodId touch = seed.method(base, "touch", {});
  seed.clientObject(0x1000, derived);
  seed.call(touch, {SeedBuilder::object(0x1010, base)}).write(0x1010).ret();
  CallSummary call = analyseCalls(seed.trace).front();
  ASSERT_EQ(accessesOf(call), (Texts{"W this.n <- ⊥ unprotected"}));
  EXPECT_EQ(call.accesses[0].member.name(), "Base::n");
}

TEST(CallAnalysis, ContainersOfPointersArePathsWithBrackets) {
  SeedBuilder seed;
  TypeId item = seed.declareClass("Item", 4);
  TypeId list = seed.declareClass("List", 24);
  seed.field(item, "n", 0, seed.integer);
  seed.field(list, "items", 0, seed.vectorOf(seed.pointer(item)));
  MethodId push = seed.method(list, "push", {seed.pointer(item)});
  MethodId touch = seed.method(list, "touch", {});
  seed.call(push, {SeedBuilder::object(0x1000, list), SeedBuilder::object(0x2000, item)});
  seed.allocate(0x8000, TypeId::None, 64).adopt(0x8000, 64, 0x1000);
  seed.writePointer(0x1000, 0x8000).writePointer(0x8000, 0x2000).ret();
  seed.call(touch, {SeedBuilder::object(0x1000, list)}).readPointer(0x1000, 0x8000);
  seed.readPointer(0x8000, 0x2000).write(0x2000).ret();
  std::vector<CallSummary> calls = analyseCalls(seed.trace);
  EXPECT_EQ(placementsOf(calls[0]), (TextSet{"this.items[] <- arg1"}));
  EXPECT_EQ(accessesOf(calls[1]),
            (Texts{"R this.items <- ⊥ unprotected", "R this.items[] <- ⊥ unprotected",
                   "W this.items[].n <- ⊥ unprotected"}));
}

// std::map<int, std::shared_ptr<Item>>: a node has the pointer and the counter, at places that the
// types do not tell.
TEST(CallAnalysis, TheCounterOfASharedPointerIsNoEdge) {
  SeedBuilder seed;
  TypeId item = seed.declareClass("Item", 4);
  TypeId cache = seed.declareClass("Cache", 48);
  TypeId shared = seed.edge(TypeKind::SharedPointer, item);
  seed.field(item, "n", 0, seed.integer).field(cache, "items", 0, seed.vectorOf(shared));
  MethodId put = seed.method(cache, "put", {shared});
  seed.allocate(0x7000, TypeId::None, 64); // counter and item, as std::make_shared has them
  seed.last().byClient = true;
  seed.clientObject(0x7010, item);
  seed.call(put, {SeedBuilder::object(0x1000, cache), SeedBuilder::object(0x7010, item)});
  seed.allocate(0x8000, TypeId::None, 56).adopt(0x8000, 56, 0x1000);
  seed.writePointer(0x8028, 0x7010).writePointer(0x8030, 0x7000).ret();
  CallSummary call = analyseCalls(seed.trace).back();
  EXPECT_EQ(placementsOf(call), (TextSet{"this.items[] <- arg1"}));
  EXPECT_EQ(call.effects.size(), 1u);
}

TEST(CallAnalysis, WhatSharedPointersLeadToHasNoSingleOwner) {
  for (TypeKind kind : {TypeKind::SharedPointer, TypeKind::Pointer}) {
    SeedBuilder seed;
    TypeId item = seed.declareClass("Item", 4);
    TypeId box = seed.declareClass("Box", 16);
    seed.field(item, "n", 0, seed.integer).field(box, "item", 0, seed.edge(kind, item));
    MethodId destroy = seed.method(box, "~Box", {}, TypeId::None, MethodKind::Destructor);
    seed.call(destroy, {SeedBuilder::object(0x1000, box)}).readPointer(0x1000, 0x2000);
    seed.release(0x2000).ret();
    EXPECT_EQ(analyseCalls(seed.trace).back().freed.empty(), kind == TypeKind::SharedPointer);
  }
}

TEST(CallAnalysis, WhatTheLibraryAllocatesIsNotControllable) {
  Figure1 seed;
  seed.call(seed.makeLib, {SeedBuilder::object(0x1000, seed.lib)});
  seed.allocate(0x5000, seed.counter).write(0x5000).writePointer(0x1028, 0x5000).ret();
  CallSummary call = analyseCalls(seed.trace).back();
  EXPECT_EQ(accessesOf(call), (Texts{"W ⊥ <- ⊥", "W this.c <- ⊥ unprotected"}));
  EXPECT_TRUE(placementsOf(call).empty());
}

// node = new Node; node.x = arg; this.head = node: this.head.x is the argument afterwards.
TEST(CallAnalysis, AnArgumentInANewObjectIsPlacedBelowItsOwner) {
  SeedBuilder seed;
  TypeId x = seed.declareClass("X", 4);
  TypeId node = seed.declareClass("Node", 8);
  TypeId stack = seed.declareClass("Stack", 8);
  seed.field(node, "x", 0, seed.pointer(x)).field(stack, "head", 0, seed.pointer(node));
  MethodId push = seed.method(stack, "push", {seed.pointer(x)});
  seed.call(push, {SeedBuilder::object(0x1000, stack), SeedBuilder::object(0x2000, x)});
  seed.allocate(0x3000, node).writePointer(0x3000, 0x2000).writePointer(0x1000, 0x3000).ret();
  EXPECT_EQ(placementsOf(analyseCalls(seed.trace).front()), (TextSet{"this.head.x <- arg1"}));
}

// The queue of figure 2 has a pointer to its own mutex.
TEST(CallAnalysis, AnObjectThatLeadsToItselfIsVisitedOnce) {
  Figure2 seed;
  seed.sequentialTest();
  EXPECT_EQ(placementsOf(analyseCalls(seed.trace)[1]), (TextSet{"result.queue <- arg1"}));
}

TEST(CallAnalysis, AnAssignmentThatIsUndoneIsMarked) {
  Figure1 seed;
  seed.call(seed.set,
            {SeedBuilder::object(0x1000, seed.lib), SeedBuilder::object(0x2000, seed.counter)});
  seed.lock(0x1000).writePointer(0x1028, 0x2000).unlock(0x1000);
  seed.allocate(0x6000, seed.counter).writePointer(0x1028, 0x6000).ret();
  CallSummary call = analyseCalls(seed.trace).back();
  EXPECT_EQ(placementsOf(call), (TextSet{"this.c <- arg1 undone"}));
  EXPECT_EQ(raw(call.effects.front().lockFree), raw(call.effects.front().label) + 1);
}

TEST(CallAnalysis, TwoNamesOfAnObjectAreBothKept) {
  Figure13 seed;
  seed.newX(0x1000).newA(0x2000, 0x1000);
  MethodId both = seed.method(seed.a, "both", {seed.reference(seed.x)});
  seed.call(both, {SeedBuilder::object(0x2000, seed.a), SeedBuilder::object(0x1000, seed.x)});
  seed.readPointer(0x2028, 0x1000).write(0x1000).ret();
  CallSummary call = analyseCalls(seed.trace).back();
  ASSERT_EQ(call.accesses.size(), 2u);
  ASSERT_EQ(call.accesses[1].owners.size(), 2u);
  EXPECT_EQ(call.accesses[1].owners[0].text(), "this.x");
  EXPECT_EQ(call.accesses[1].owners[1].text(), "arg1");
}

} // namespace
} // namespace heddle::synth::test
