// What inline assembly does to memory, read from its text and constraints.
#include "subject.h"

#include "model/memory_order.h"
#include "model/site_table.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

const char* const kAssembly = R"code(
int word; long wide; struct Pair { long low, high; } pair;
int exchanges(int v) { __asm__ volatile("xchgl %0,%1" : "+r"(v), "+m"(word)::"memory"); return v; }
void compares(int v) { __asm__ volatile("lock; cmpxchgl %2,%1" : "+a"(v), "+m"(word) : "r"(v) : "memory"); }
void pointed(int* p) { __asm__ volatile("lock\n\tincl (%0)" :: "r"(p) : "memory");
}
void displaced(struct Pair* p) { __asm__ volatile("lock addq $1, 8(%0)" ::"r"(p) : "memory"); }
void stores(void) { __asm__ volatile("movl $0,%0" : "=m"(word)::"memory"); }
int loads(void) {
  int v;
  __asm__ volatile("movl %1,%0" : "=r"(v) : "m"(word));
  return v;
}
void unlocked(void) { __asm__ volatile("addq $1,%0" : "+m"(wide)); }
void fences(void) { __asm__ volatile("mfence" ::: "memory"); }
void stacks(void) { __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory"); }
void barrier(void) { __asm__ volatile("" ::: "memory"); }
void waits(void) { __asm__ volatile("rep; nop" ::: "memory"); }
int opens(int v) {
  __asm__("" : "+r"(v));
  return v;
}
int computes(int v) {
  __asm__("imull %0,%0" : "+r"(v));
  return v;
}
void unknown(void) { __asm__ volatile("xbegin 1f\n1:" ::: "memory", "eax"); }
void labelled(void) {
  __asm__ volatile("1: lock; decl %0\n\tjns 2f\n\tpause\n\tjmp 1b\n2:" : "+m"(word)::"memory");
}
int main(void) { return 0; }
)code";

class Assembly : public testing::TestWithParam<const char*> {
protected:
  void SetUp() override {
    workshop_.write("subject.c", kAssembly);
    workshop_.must(std::string("$CC -g ") + GetParam() + " subject.c -o program");
    log_ = workshop_.run("program").log;
  }

  /// "AtomicUpdate 4 word" and so on, of a function's sites.
  std::vector<std::string> sites(const std::string& function) const {
    static const char* const kinds[] = {"Read",         "Write", "AtomicRead", "AtomicWrite",
                                        "AtomicUpdate", "Fence", "RangeRead",  "RangeWrite",
                                        "Call",         "Spin",  "Enter"};
    std::vector<std::string> result;
    for (const SiteLine& site : log_.sitesIn(function)) {
      if (site.kind == static_cast<int>(SiteKind::Enter))
        continue;
      EXPECT_TRUE(site.flags & kSiteAssembly) << function;
      result.push_back(std::string(kinds[site.kind]) + " " + std::to_string(site.size) +
                       (site.flags & kSiteUnseen ? " unseen" : ""));
    }
    return result;
  }

  using Sites = std::vector<std::string>;
  Workshop workshop_;
  Log log_;
};

TEST_P(Assembly, LockedInstructionsAreAtomicUpdates) {
  EXPECT_EQ(sites("exchanges"), Sites{"AtomicUpdate 4"});
  EXPECT_EQ(sites("compares"), Sites{"AtomicUpdate 4"});
  EXPECT_EQ(sites("pointed"), Sites{"AtomicUpdate 4"});
  EXPECT_EQ(sites("displaced"), Sites{"AtomicUpdate 8"});
  EXPECT_EQ(sites("labelled"), Sites{"AtomicUpdate 4"});
}

TEST_P(Assembly, MovesAreAtomicAndOthersAreTwoSteps) {
  EXPECT_EQ(sites("stores"), Sites{"AtomicWrite 4"});
  EXPECT_EQ(sites("loads"), Sites{"AtomicRead 4"});
  EXPECT_EQ(sites("unlocked"), (Sites{"Read 8", "Write 8"}));
}

TEST_P(Assembly, FencesAndBarriers) {
  for (const char* function : {"fences", "stacks", "barrier"})
    EXPECT_EQ(sites(function), Sites{"Fence 0"}) << function;
}

TEST_P(Assembly, WhatTouchesNothingHasNoSite) {
  for (const char* function : {"waits", "opens", "computes"})
    EXPECT_EQ(sites(function), Sites{}) << function;
}

TEST_P(Assembly, WhatCanNotBeReadIsUnseenCode) {
  EXPECT_EQ(sites("unknown"), Sites{"Call 0 unseen"});
}

INSTANTIATE_TEST_SUITE_P(Levels, Assembly, testing::Values("-O0", "-O2"));

const char* const kOrders = R"code(
int word; int other[2] __attribute__((aligned(8)));
int main(void) {
  int v = 1;
  __asm__ volatile("xchgl %0,%1" : "+r"(v), "+m"(word)::"memory");
  __asm__ volatile("lock; incl 4(%0)" :: "r"(other) : "memory");
__asm__ volatile("movl $0,%0" : "=m"(word)::"memory");
return v || other[1] != 1;
})code";

TEST(AssemblyHooks, TellTheAddressAndTheProcessorsOrder) {
  Workshop workshop;
  workshop.write("subject.c", kOrders);
  workshop.must("$CC -g -O1 subject.c -o program");
  Outcome outcome = workshop.run("program", "all");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  std::vector<EventLine> atomics;
  for (const EventLine& event : outcome.log.events)
    if (const SiteLine* site = outcome.log.site(event.site); site && (site->flags & kSiteAssembly))
      atomics.push_back(event);
  ASSERT_EQ(atomics.size(), 3u);
  EXPECT_EQ(orderOf(atomics[0].orders), MemoryOrder::SequentiallyConsistent);
  EXPECT_EQ(orderOf(atomics[2].orders), MemoryOrder::Release);
  EXPECT_EQ(atomics[0].address, atomics[2].address);
  EXPECT_NE(atomics[1].address, atomics[0].address);
  EXPECT_EQ(atomics[1].address % 8, 4u) << "the displacement counts";
}

} // namespace
} // namespace heddle::test
