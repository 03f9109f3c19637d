#include "seed_builder.h"
#include "synth/random_tests.h"
#include "synth/source_writer.h"
#include "synth/synthesis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

/// Calls that meet objects in several states, objects in containers, and tests by chance.
namespace heddle::synth::test {
namespace {

/// A box whose pop looks at `size` and, if there is something, takes from it. The names and the
/// places of the members are the caller's.
class Box : public SeedBuilder {
public:
  explicit Box(std::string name = "Box", std::string first = "size", bool swapped = false)
      : box(declareClass(name, 8)), sizeAt_(swapped ? 4 : 0), madeAt_(swapped ? 0 : 4) {
    field(box, first, sizeAt_, integer).field(box, first + "Made", madeAt_, integer);
    make_ = constructor(box, {});
    push_ = method(box, "push", {integer});
    pop_ = method(box, "pop", {});
    fill_ = method(box, "fill", {integer});
    trace.methods[raw(fill_)].parameters[0] = opaque_ =
        trace.types.add({TypeKind::Unknown, "Fill", 4, TypeId::None, false, false, {}, {}, {}});
  }

  void begin(const std::string& name) {
    test(name);
    call(make_, {object(kBox, box)}).ret();
  }
  void push() {
    call(push_, {object(kBox, box), number(1)}).write(kBox + sizeAt_);
    last().place = {"box.h", 5, 1};
    ret();
  }
  void popped(bool found) {
    call(pop_, {object(kBox, box)}).read(kBox + sizeAt_);
    last().place = {"box.h", 1, 1};
    if (found) {
      write(kBox + sizeAt_);
      last().place = {"box.h", 2, 1};
    }
    ret();
  }
  /// pop of an empty box that notes that somebody asked.
  void asked() {
    call(pop_, {object(kBox, box)}).write(kBox + madeAt_);
    last().place = {"box.h", 3, 1};
    ret();
  }
  void filled() {
    Value value;
    value.kind = ValueKind::Opaque;
    value.type = opaque_;
    value.text = "a Fill";
    call(fill_, {object(kBox, box), value}).ret();
  }

  static constexpr uint64_t kBox = 0x1000;
  TypeId box;

private:
  uint64_t sizeAt_, madeAt_;
  MethodId make_, push_, pop_, fill_;
  TypeId opaque_;
};

std::set<std::string> textsOf(const Synthesis& synthesis) {
  std::set<std::string> texts;
  for (const SynthesizedTest& test : synthesis.tests)
    texts.insert(test.text);
  return texts;
}

TEST(States, APopThatFoundSomethingServesAllItsPairs) {
  Box seed;
  seed.begin("empty");
  seed.popped(false);
  seed.begin("full");
  seed.popped(true);
  Synthesis synthesis = synthesize(seed.trace, {});
  ASSERT_EQ(textsOf(synthesis), (std::set<std::string>{"box1.pop() || box1.pop()"}));
  for (const PlannedCall& side : synthesis.tests[0].plan.sides)
    EXPECT_EQ(synthesis.calls[raw(side.call)].test, "full");
  EXPECT_EQ(synthesis.tests[0].pairs.size(), 2u); // read with write, write with write
}

TEST(States, WhatOnlyAnotherStateShowsIsATestOfItsOwn) {
  Box seed;
  seed.begin("full");
  seed.popped(true);
  seed.begin("empty");
  seed.asked();
  Synthesis synthesis = synthesize(seed.trace, {});
  EXPECT_EQ(textsOf(synthesis), (std::set<std::string>{"box1.pop() || box1.pop()",
                                                       "box1.pop() || box1.pop() (state 2)"}));
  WrittenTests written = writeTests(seed.trace, synthesis, {});
  EXPECT_EQ(written.names.size(), 2u);
  EXPECT_TRUE(written.unwritten.empty());
}

TEST(States, NamesAndPlacesOfMembersDoNotMatter) {
  auto shape = [](Box seed) {
    seed.begin("one");
    seed.push();
    seed.popped(true);
    seed.begin("two");
    seed.asked();
    Synthesis synthesis = synthesize(seed.trace, {});
    std::multiset<std::pair<size_t, size_t>> pairs; // how often each member is in a test
    for (const SynthesizedTest& test : synthesis.tests) {
      std::set<std::string> members;
      for (const RacingPair& pair : test.pairs)
        members.insert(pair.member);
      pairs.emplace(test.pairs.size(), members.size());
    }
    return pairs;
  };
  auto one = shape(Box());
  EXPECT_EQ(one.size(), 4u); // push and pop with themselves, both, and the pop that asks
  EXPECT_EQ(one, shape(Box("Crate", "amount", true)));
  EXPECT_EQ(one, shape(Box("Abacus", "zeal")));
}

TEST(States, ACallThatCannotBeWrittenIsLeftOutWhereOnlyTheStateDependsOnIt) {
  Box seed;
  seed.begin("full");
  seed.filled();
  seed.popped(true);
  Synthesis synthesis = synthesize(seed.trace, {});
  WrittenTests written = writeTests(seed.trace, synthesis, {});
  ASSERT_TRUE(written.unwritten.empty()) << written.unwritten[0].problem;
  ASSERT_EQ(written.files.size(), 1u);
  EXPECT_NE(written.files[0].text.find("// Left out: Box::fill, an argument cannot be written "
                                       "down: a Fill."),
            std::string::npos)
      << written.files[0].text;
}

/// std::vector<std::shared_ptr<Log>>: the counter beside the pointer begins as null.
TEST(States, ASharedPointerInAContainerCanBeShared) {
  SeedBuilder seed;
  TypeId log = seed.declareClass("Log", 8);
  seed.field(log, "lines", 0, seed.integer);
  TypeId shared = seed.edge(TypeKind::SharedPointer, log);
  TypeId bus = seed.declareClass("Bus", 64);
  seed.field(bus, "mutex", 0, seed.mutex).field(bus, "logs", 40, seed.vectorOf(shared));
  MethodId makeLog = seed.constructor(log, {});
  MethodId makeBus = seed.constructor(bus, {});
  MethodId add = seed.method(bus, "add", {shared});
  MethodId send = seed.method(bus, "send", {});
  constexpr uint64_t aBus = 0x1000, aLog = 0x2000, block = 0x3000;
  Value theBus = SeedBuilder::object(aBus, bus);
  seed.test("one").call(makeBus, {theBus}).ret();
  seed.call(makeLog, {SeedBuilder::object(aLog, log)}).ret();
  seed.call(add, {theBus, SeedBuilder::object(aLog, log)}).lock(aBus);
  seed.allocate(block, TypeId::None, 16).adopt(block, 16, aBus + 40);
  seed.writePointer(block, aLog).writePointer(block + 8, 0).unlock(aBus).ret();
  seed.call(send, {theBus}).lock(aBus).readPointer(block, aLog).write(aLog).unlock(aBus).ret();
  std::set<std::string> texts = textsOf(synthesize(seed.trace, {}));
  EXPECT_TRUE(texts.contains("bus3.add(log1); bus4.add(log1); bus3.send() || bus4.send()"))
      << ::testing::PrintToString(texts);
}

TEST(RandomTests, AreTheSameForTheSameSeedAndShareOneObject) {
  Box seed;
  seed.begin("full");
  seed.push();
  seed.popped(true);
  Synthesis synthesis = synthesize(seed.trace, {});
  RandomRequest request{{}, 6, 3};
  std::vector<Plan> plans = randomTests(seed.trace, synthesis.calls, request);
  ASSERT_FALSE(plans.empty());
  EXPECT_LE(plans.size(), 6u);
  std::vector<Plan> again = randomTests(seed.trace, synthesis.calls, request);
  ASSERT_EQ(plans.size(), again.size());
  for (size_t i = 0; i < plans.size(); ++i) {
    EXPECT_EQ(planText(seed.trace, synthesis.calls, plans[i]),
              planText(seed.trace, synthesis.calls, again[i]));
    EXPECT_EQ(plans[i].sides[0].operands[0], plans[i].sides[1].operands[0]);
  }
  EXPECT_TRUE(randomTests(seed.trace, synthesis.calls, {{"Other"}, 6, 3}).empty());
}

TEST(RandomTests, TakeThePlaceOfAllOthersAndCanBeWritten) {
  Box seed;
  seed.begin("full");
  seed.push();
  seed.popped(true);
  size_t directed = synthesize(seed.trace, {}).tests.size();
  SynthesisOptions options;
  options.random = true;
  Synthesis synthesis = synthesize(seed.trace, options);
  ASSERT_FALSE(synthesis.tests.empty());
  EXPECT_LE(synthesis.tests.size(), directed);
  EXPECT_TRUE(synthesis.pairs.empty());
  for (const SynthesizedTest& test : synthesis.tests)
    EXPECT_EQ(test.aim, Aim::Random);
  WrittenTests written = writeTests(seed.trace, synthesis, {});
  EXPECT_EQ(written.names.size(), synthesis.tests.size());
}

} // namespace
} // namespace heddle::synth::test
