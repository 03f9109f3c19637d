// What becomes a site, and what a site says of itself.
#include "subject.h"

#include "model/memory_order.h"
#include "model/site_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::test {
namespace {

int kind(SiteKind value) { return static_cast<int>(value); }

/// The object of the one site of this kind on the line; "?" if there is not exactly one.
std::string objectOn(const Log& log, uint32_t line, SiteKind siteKind) {
  std::vector<SiteLine> sites = log.sitesOn(line);
  std::erase_if(sites, [&](const SiteLine& site) { return site.kind != kind(siteKind); });
  return sites.size() == 1 ? sites[0].object : "? " + std::to_string(sites.size());
}

const char* const kNames = R"(#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
struct Stats { long hits, misses; };
struct Shard { int id; Stats stats; int table[4]; Stats per[3]; };
struct Account { std::mutex mutex; long balance; std::atomic<int> visits; Account* next; void deposit(long); };
namespace bank { int total; struct Base { int field; }; struct Mid : Base { virtual ~Mid(); double mid; }; }
struct Derived : bank::Mid { int own; static int count; union { int a; float b; }; void work(); };
int Derived::count;
bank::Mid::~Mid() {}
struct Node { int value; Node* next; };
typedef struct { int x; } Unnamed;
int counter, grid[3][4];
Account accounts[5];
Shard shard;
Node* head;
std::mutex queueLock;
std::condition_variable ready;
std::vector<long> numbers;
std::map<int, int> table;
void Account::deposit(long n) {
  std::lock_guard<std::mutex> guard(mutex); // line 27
  balance = n;                              // line 28
  visits++;
  next->balance = 1;                        // line 30
}                                           // line 31
void Derived::work() {
  own = 1;   // line 33
  field = 2; // line 34
  mid = 3;   // line 35
  count = 4; // line 36
  a = 5;     // line 37
}
void plain() {
  counter = 1;                 // line 40
  bank::total = 2;             // line 41
  grid[1][2] = 3;              // line 42
  accounts[3].balance = 4;     // line 43
  shard.stats.hits = 5;        // line 44
  shard.per[1].misses = 6;     // line 45
}
void pointers(int* p, int i, int& r, Shard* s, Unnamed* u, Account& account, std::mutex& m) {
  *p = 1;                      // line 48
  p[i] = 2;                    // line 49
  r = 3;                       // line 50
  s->stats.hits = 4;           // line 51
  s->table[i] = 5;             // line 52
  s->per[i].misses = 6;        // line 53
  u->x = 7;                    // line 54
  account.balance = 8;         // line 55
  m.lock();                    // line 56
  account.mutex.unlock();      // line 57
  *s = shard;                  // line 58
}
void push(int value) {
  Node* node = new Node;       // line 61
  node->value = value;         // line 62
  head = node;                 // line 63
}
void library(int i, std::unique_ptr<Account>& owner, std::unique_ptr<int> number, std::shared_ptr<Node> node) {
  owner->balance = 1;          // line 66
  *number = 2;                 // line 67
  node->value = 3;             // line 68
  numbers[1] = 4;              // line 69
  table[i] = 5;                // line 70
  std::unique_lock<std::mutex> lock(queueLock); // line 71
  ready.wait(lock);            // line 72
}
int main() {
  if (!std::getenv("RUN"))
    return 0;
  int local = 0;               // line 77
  Account account;
  int copied = 3;
  auto body = [&local, &account, copied]() mutable {
    local = 1;                 // line 81
    account.balance = 2;       // line 82
    copied = 4;                // line 83
  };
  std::thread thread(body);
  thread.join();               // line 86
  plain(); push(1); library(1, *new std::unique_ptr<Account>, nullptr, nullptr);
  pointers(0, 0, counter, 0, 0, account, account.mutex);
  Derived* d = nullptr; d->work();
  return local;
}
)";

class Names : public testing::TestWithParam<const char*> {};

TEST_P(Names, AreThoseOfTheSource) {
  Log log = compileAndRun(kNames, std::string("-g ") + GetParam()).log;
  using enum SiteKind;
  EXPECT_EQ(objectOn(log, 27, Call), "Account::mutex");
  EXPECT_EQ(objectOn(log, 28, Write), "Account::balance");
  EXPECT_EQ(objectOn(log, 29, Call), "Account::visits");
  EXPECT_EQ(objectOn(log, 30, Read), "Account::next");
  EXPECT_EQ(objectOn(log, 30, Write), "Account::balance");
  EXPECT_EQ(objectOn(log, 31, Call), "Account::mutex");
  EXPECT_EQ(objectOn(log, 33, Write), "Derived::own");
  EXPECT_EQ(objectOn(log, 34, Write), "bank::Base::field");
  EXPECT_EQ(objectOn(log, 35, Write), "bank::Mid::mid");
  EXPECT_EQ(objectOn(log, 36, Write), "Derived::count");
  EXPECT_EQ(objectOn(log, 37, Write), "Derived::a");
  EXPECT_EQ(objectOn(log, 40, Write), "counter");
  EXPECT_EQ(objectOn(log, 41, Write), "bank::total");
  EXPECT_EQ(objectOn(log, 42, Write), "grid[][]");
  EXPECT_EQ(objectOn(log, 43, Write), "accounts[].balance");
  EXPECT_EQ(objectOn(log, 44, Write), "shard.stats.hits");
  EXPECT_EQ(objectOn(log, 45, Write), "shard.per[].misses");
  EXPECT_EQ(objectOn(log, 48, Write), "*p");
  EXPECT_EQ(objectOn(log, 49, Write), "p[]");
  EXPECT_EQ(objectOn(log, 50, Write), "r");
  EXPECT_EQ(objectOn(log, 51, Write), "Shard::stats.hits");
  EXPECT_EQ(objectOn(log, 52, Write), "Shard::table[]");
  EXPECT_EQ(objectOn(log, 53, Write), "Shard::per[].misses");
  EXPECT_EQ(objectOn(log, 54, Write), "Unnamed::x");
  EXPECT_EQ(objectOn(log, 55, Write), "Account::balance");
  EXPECT_EQ(objectOn(log, 56, Call), "m");
  EXPECT_EQ(objectOn(log, 57, Call), "Account::mutex");
  EXPECT_EQ(objectOn(log, 58, RangeRead), "shard");
  EXPECT_EQ(objectOn(log, 58, RangeWrite), "*s");
  EXPECT_EQ(objectOn(log, 61, Call), "Node");
  EXPECT_EQ(objectOn(log, 62, Write), "Node::value");
  EXPECT_EQ(objectOn(log, 63, Write), "head");
  EXPECT_EQ(objectOn(log, 66, Write), "Account::balance");
  EXPECT_EQ(objectOn(log, 67, Write), "*number");
  EXPECT_EQ(objectOn(log, 68, Write), "Node::value");
  EXPECT_EQ(objectOn(log, 69, Write), "numbers[]");
  EXPECT_EQ(objectOn(log, 70, Write), "table[]");
  EXPECT_EQ(objectOn(log, 71, Call), "queueLock");
  EXPECT_EQ(objectOn(log, 72, Call), "ready");
  EXPECT_EQ(objectOn(log, 77, Write), "local");
  EXPECT_EQ(objectOn(log, 81, Write), "local");
  EXPECT_EQ(objectOn(log, 82, Write), "Account::balance");
  EXPECT_EQ(objectOn(log, 83, Write), "copied");
  EXPECT_EQ(objectOn(log, 86, Call), "thread");
}

INSTANTIATE_TEST_SUITE_P(Levels, Names, testing::ValuesIn(kAllLevels),
                         [](const auto& info) { return std::string(info.param + 1); });

TEST(Sites, HaveOffsetSizeFunctionAndFile) {
  Log log = compileAndRun(kNames, "-g -O1").log;
  std::vector<SiteLine> sites = log.sitesOn(51);
  ASSERT_EQ(sites.size(), 1u);
  EXPECT_EQ(sites[0].offset, 8u);
  EXPECT_EQ(sites[0].size, 8u);
  EXPECT_EQ(sites[0].file, "subject.cpp");
  EXPECT_EQ(sites[0].column, 17u);
  EXPECT_EQ(sites[0].function, "_Z8pointersPiiRiP5ShardP7UnnamedR7AccountRSt5mutex");
  const FunctionLine* function = log.function("_ZN7Account7depositEl");
  ASSERT_TRUE(function);
  EXPECT_EQ(function->displayName, "Account::deposit");
}

TEST(Sites, WithoutDebugInformationHaveNoPlace) {
  Log log = compileAndRun(kNames, "-O1").log;
  ASSERT_FALSE(log.sites.empty());
  for (const SiteLine& site : log.sites) {
    EXPECT_EQ(site.file, "");
    EXPECT_EQ(site.line, 0u);
  }
  EXPECT_EQ(log.function("_ZN7Account7depositEl")->displayName, "");
}

TEST(Sites, OfLibraryHeadersAreMarked) {
  Log log = compileAndRun(kNames, "-g -O0").log;
  bool library = false;
  for (const SiteLine& site : log.sites) {
    EXPECT_EQ(site.flags & kSiteLibrary, site.file.starts_with("/usr/") ? kSiteLibrary : 0)
        << site.file;
    library = library || (site.flags & kSiteLibrary);
  }
  EXPECT_TRUE(library);
}

const char* const kKinds = R"(#include <atomic>
#include <cstring>
#include <pthread.h>
#include <cstdlib>
std::atomic<int> ordered;
int plain, *pointer; volatile int port; const int fixed[4] = {1, 2, 3, 4};
thread_local int own;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct Virtual { virtual int f(); int k = 0; virtual ~Virtual() {} };
int Virtual::f() { return k; }
char from[64], to[64];
int reads() { return plain; }
void writes() { plain = 1; }
int ports() { return port; }
int constants(int i) { return fixed[i]; }
void locals() { int array[4]; for (int i = 0; i < 4; ++i) array[i] = i; plain = array[2]; }
void threadLocal() { own++; }
int update() { return __atomic_fetch_add(&plain, 1, __ATOMIC_SEQ_CST); }
bool exchange(int e) { return __atomic_compare_exchange_n(&plain, &e, 2, false, 5, 5); }
int load() { return ordered.load(); }
void fence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void copies(size_t n) { memcpy(to, from, n); memset(to, 0, 16); }
int virtualCall(Virtual* v) { return v->f(); }
struct Copied { Copied() : a(1), b(2) {} Copied(const Copied& other) : a(other.a), b(other.b) {} int a, b; };
void locks() { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); free(malloc(3)); }
void calls(void (*f)()) { f(); writes(); }
int main() { Copied one, two(one); Virtual v; virtualCall(&v); reads(); writes(); ports(); constants(1); locals();
  threadLocal(); update(); exchange(1); load(); fence(); copies(8); locks(); calls(writes); }
)";

class Kinds : public testing::TestWithParam<const char*> {
protected:
  void SetUp() override { log_ = compileAndRun(kKinds, GetParam(), "all").log; }

  std::vector<int> kindsIn(const std::string& function) {
    std::vector<int> kinds;
    for (const SiteLine& site : log_.sitesIn(function))
      kinds.push_back(site.kind);
    return kinds;
  }
  static std::vector<int> list(std::initializer_list<SiteKind> kinds) {
    std::vector<int> result;
    for (SiteKind value : kinds)
      result.push_back(kind(value));
    return result;
  }
  Log log_;
};

TEST_P(Kinds, FollowTheInstruction) {
  using enum SiteKind;
  EXPECT_EQ(kindsIn("_Z5readsv"), list({Read}));
  EXPECT_EQ(kindsIn("_Z6writesv"), list({Write}));
  EXPECT_EQ(kindsIn("_Z6updatev"), list({AtomicUpdate}));
  EXPECT_EQ(kindsIn("_Z8exchangei"), list({AtomicUpdate}));
  EXPECT_EQ(kindsIn("_Z5fencev"), list({Fence}));
  EXPECT_EQ(kindsIn("_Z6copiesm"), list({RangeRead, RangeWrite, RangeWrite}));
  EXPECT_EQ(kindsIn("_Z5callsPFvvE"), list({Call, Call}));
}

// The IR has a switch over three loads. The call is that of std::terminate for a load that throws.
TEST_P(Kinds, MemoryOrdersAreOneSite) {
  EXPECT_EQ(kindsIn("_ZNKSt13__atomic_baseIiE4loadESt12memory_order"),
            list({SiteKind::AtomicRead, SiteKind::Call}));
}

TEST_P(Kinds, ACopyConstructorReadsItsSource) {
  using enum SiteKind;
  EXPECT_EQ(kindsIn("_ZN6CopiedC2ERKS_"), list({Read, Write, Read, Write}));
}

TEST_P(Kinds, WhatNoOtherThreadCanSeeIsNoSite) {
  EXPECT_TRUE(kindsIn("_Z9constantsi").empty());
  EXPECT_TRUE(kindsIn("_Z11threadLocalv").empty());
  EXPECT_EQ(kindsIn("_Z6localsv"), list({SiteKind::Write})) << "only the global";
  EXPECT_EQ(kindsIn("_Z11virtualCallP7Virtual"), list({SiteKind::Call})) << "no vtable reads";
  EXPECT_TRUE(log_.sitesIn("_ZN7VirtualC2Ev").size() <= 1) << "no vtable write";
}

TEST_P(Kinds, FlagsAndSizes) {
  EXPECT_EQ(log_.sitesIn("_Z5portsv").at(0).flags & kSiteVolatile, kSiteVolatile);
  EXPECT_EQ(log_.sitesIn("_Z6copiesm").at(0).size, 0u) << "not known at compile time";
  EXPECT_EQ(log_.sitesIn("_Z6copiesm").at(2).size, 16u);
  EXPECT_EQ(log_.sitesIn("_Z5readsv").at(0).size, 4u);
}

TEST_P(Kinds, SyncCallsAreFlaggedAndNamed) {
  std::vector<SiteLine> sites = log_.sitesIn("_Z5locksv");
  ASSERT_EQ(sites.size(), 4u);
  const char* const callees[] = {"pthread_mutex_lock", "pthread_mutex_unlock", "malloc", "free"};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(sites[i].callee, callees[i]);
    EXPECT_EQ(sites[i].flags & kSiteSync, kSiteSync);
  }
  EXPECT_EQ(sites[0].object, "mutex") << "a global's symbol is its name without -g too";
  EXPECT_EQ(log_.sitesIn("_Z5callsPFvvE").at(1).flags & kSiteSync, 0);
}

TEST_P(Kinds, RangeEventsHaveTheirLength) {
  std::vector<uint64_t> lengths;
  for (const EventLine& event : log_.events)
    if (event.kind == 'r')
      lengths.push_back(event.length);
  EXPECT_EQ(lengths, (std::vector<uint64_t>{8, 8, 16}));
}

INSTANTIATE_TEST_SUITE_P(Levels, Kinds, testing::ValuesIn(kAllLevels),
                         [](const auto& info) { return std::string(info.param + 1); });

class Orders : public testing::TestWithParam<const char*> {
protected:
  /// What the hooks of atomic operations were told, in order.
  std::vector<EventLine> told(const std::string& body) {
    Log log = compileAndRun("#include <atomic>\nstd::atomic<int> a;\nint main() {\n" + body + "}\n",
                            GetParam(), "all")
                  .log;
    std::vector<EventLine> events;
    for (const EventLine& event : log.events)
      if (const SiteLine* site = log.site(event.site);
          event.kind == 'a' && site &&
          (isAtomic(static_cast<SiteKind>(site->kind)) || site->kind == kind(SiteKind::Fence)))
        events.push_back(event);
    return events;
  }
  static std::vector<MemoryOrder> ordersOf(const std::vector<EventLine>& events) {
    std::vector<MemoryOrder> orders;
    for (const EventLine& event : events)
      orders.push_back(orderOf(event.orders));
    return orders;
  }
};

using enum MemoryOrder;

TEST_P(Orders, AreThoseOfTheSource) {
  EXPECT_EQ(ordersOf(told(R"(
  a.store(1, std::memory_order_relaxed); a.store(1, std::memory_order_release); a = 1;
  (void)a.load(std::memory_order_relaxed); (void)a.load(std::memory_order_consume);
  a.fetch_add(1, std::memory_order_acq_rel); a.exchange(1, std::memory_order_acquire);
)")),
            (std::vector{Relaxed, Release, SequentiallyConsistent, Relaxed, Acquire, AcquireRelease,
                         Acquire}));
}

TEST_P(Orders, OfFences) {
  EXPECT_EQ(ordersOf(told(R"(
  std::atomic_thread_fence(std::memory_order_acquire);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  std::atomic_signal_fence(std::memory_order_seq_cst);
)")),
            (std::vector{Acquire, SequentiallyConsistent, Relaxed}))
      << "a signal fence orders nothing between threads";
}

TEST_P(Orders, OfACompareExchangeBothAndWhatItExpects) {
  std::vector<EventLine> events = told(R"(
  int e = 7;
  a.compare_exchange_strong(e, 2, std::memory_order_acq_rel, std::memory_order_relaxed);
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(orderOf(events[0].orders), AcquireRelease);
  EXPECT_EQ(failureOrderOf(events[0].orders), Relaxed);
  EXPECT_EQ(events[0].expected, 7u);
}

INSTANTIATE_TEST_SUITE_P(Levels, Orders, testing::ValuesIn(kAllLevels),
                         [](const auto& info) { return std::string(info.param + 1); });

TEST(Sites, IgnoredFunctionsHaveNone) {
  Outcome outcome = compileAndRun(R"(
int shared;
__attribute__((annotate("heddle_ignore"))) void quiet() { shared++; }
__attribute__((disable_sanitizer_instrumentation)) void silent() { shared++; }
int main() { quiet(); silent(); return shared - 2; })",
                                  "-O1", "all");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.log.sitesIn("_Z5quietv").empty());
  EXPECT_TRUE(outcome.log.sitesIn("_Z6silentv").empty());
  EXPECT_EQ(outcome.log.accesses, 1) << "main's own read";
}

TEST(Sites, CallsOfFunctionsWithoutSitesAreNoSites) {
  Outcome outcome = compileAndRun(R"(
static int twice(int x) { return 2 * x; }
static int four(int x) { return twice(twice(x)); }
int main(int argc, char**) { return four(argc) - 4; })",
                                  "-O0", "all");
  EXPECT_EQ(outcome.status, 0);
  ASSERT_EQ(outcome.log.sites.size(), 1u) << "only the return from main";
  EXPECT_EQ(outcome.log.sites[0].callee, "exit");
}

TEST(Sites, OrdinalsCountEqualOnes) {
  Log log =
      compileAndRun("int a, b; int main() { a = 1; b = 1; a = 2; a = 3; return 0; }", "-g").log;
  std::vector<uint32_t> ordinals;
  for (const SiteLine& site : log.sitesIn("main"))
    ordinals.push_back(site.ordinal);
  // Two variables, and the return from main, which is a call of exit.
  EXPECT_EQ(ordinals, (std::vector<uint32_t>{0, 0, 1, 2, 0}));
}

} // namespace
} // namespace heddle::test
