#include "describe/finding_builder.h"
#include "describe/function_name.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(ShortFunctionName, DropsParameters) {
  EXPECT_EQ(shortFunctionName("main"), "main");
  EXPECT_EQ(shortFunctionName("Account::deposit(int)"), "Account::deposit");
  EXPECT_EQ(shortFunctionName("f() const"), "f");
  EXPECT_EQ(shortFunctionName("Cache::get[abi:cxx11]()"), "Cache::get");
  EXPECT_EQ(shortFunctionName("a<void (*)(int)>::b(char)"), "a<void (*)(int)>::b");
  EXPECT_EQ(shortFunctionName("(anonymous namespace)::work(int)"), "(anonymous namespace)::work");
  EXPECT_EQ(shortFunctionName("Task::operator()(int) const"), "Task::operator()");
  EXPECT_EQ(shortFunctionName("operator<(A const&, B)"), "operator<");
  EXPECT_EQ(shortFunctionName("main::$_0::operator()() const"), "main::$_0::operator()");
  EXPECT_EQ(shortFunctionName("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(shortFunctionName("A::operator bool() const"), "A::operator bool");
}

TEST(ShortFunctionName, DropsReturnTypes) {
  EXPECT_EQ(shortFunctionName("void std::f<int>(int)"), "std::f<int>");
  EXPECT_EQ(shortFunctionName("std::thread& std::vector<std::thread, A<B> >::emplace_back<C>(C&&)"),
            "std::vector<std::thread, A<B> >::emplace_back<C>");
  EXPECT_EQ(shortFunctionName("decltype (::new((void*)(0)) T) std::construct_at<T>(T*, int&&)"),
            "std::construct_at<T>");
  EXPECT_EQ(shortFunctionName("main::{lambda(int)#1}::operator()(int) const"),
            "main::{lambda(int)#1}::operator()");
  EXPECT_EQ(shortFunctionName("f(int)::Local::go()"), "f(int)::Local::go");
}

TEST(ReadableMessage, DemanglesNames) {
  EXPECT_EQ(readableMessage("uncaught exception of type `_ZTISt12out_of_range`: no such session"),
            "uncaught exception of type `std::out_of_range`: no such session");
  EXPECT_EQ(readableMessage("in _Z1fi and _Z1gv."), "in f(int) and g().");
  EXPECT_EQ(readableMessage("nothing to do, _Z"), "nothing to do, _Z");
  EXPECT_EQ(readableMessage(""), "");
}

/// Two threads, each holds one lock and waits for the other's.
RunRecord deadlock() {
  std::vector<SiteEntry> sites(4);
  const char* functions[] = {"", "_Z1av", "_Z1bv", "main"};
  for (uint32_t i = 1; i < 4; ++i) {
    sites[i].identity = static_cast<SiteIdentity>(i);
    sites[i].linkageName = functions[i];
    sites[i].function = demangle(functions[i]);
    sites[i].file = "dl.cpp";
    sites[i].line = 10 * i;
    sites[i].object = i == 1 ? "right" : i == 2 ? "left" : "";
  }
  RunRecord record;
  record.sites = std::make_shared<SiteCatalog>(std::move(sites));
  record.failure = FailureKind::Deadlock;
  record.result.outcome = Outcome::Failed;
  record.threads.resize(3);
  record.threads[0].path = ThreadPath::Main;
  record.threads[0].state = ThreadState::Blocked;
  record.threads[0].wait = WaitKind::Join;
  record.threads[0].waitOwner = 1;
  record.threads[0].site = 3;
  record.threads[0].parent = raw(ThreadIndex::None);
  for (uint32_t i = 1; i < 3; ++i) {
    ThreadDetail& thread = record.threads[i];
    thread.path = childPath(ThreadPath::Main, i);
    thread.ordinal = i;
    thread.state = ThreadState::Blocked;
    thread.wait = WaitKind::Mutex;
    thread.waitOwner = 3 - i;
    thread.site = i;
  }
  return record;
}

TEST(FindingBuilder, DescribesADeadlock) {
  CapturedRun failing;
  failing.record = deadlock();
  Finding finding = buildFinding(failing, failing.record, nullptr, 0);
  EXPECT_EQ(finding.kind, FindingKind::Deadlock);
  EXPECT_EQ(finding.message, "deadlock: T1 waits for mutex right held by T2, T2 waits for mutex "
                             "left held by T1");
  ASSERT_EQ(finding.sites.size(), 2u) << "main only waits for the others";
  EXPECT_EQ(finding.sites[0].access, "lock");
  EXPECT_EQ(finding.sites[0].object, "right");
  EXPECT_EQ(finding.threads[2].state, "blocked: waits for mutex left held by T1");
  EXPECT_EQ(finding.threads[2].path, "2");
}

TEST(FindingBuilder, TheIdOfADeadlockDoesNotDependOnWhoWasFirst) {
  CapturedRun first, second;
  first.record = deadlock();
  second.record = deadlock();
  std::swap(second.record.threads[1].site, second.record.threads[2].site);
  EXPECT_EQ(buildFinding(first, first.record, nullptr, 0).id,
            buildFinding(second, second.record, nullptr, 0).id);
}

TEST(FindingBuilder, ShowsTheInnermostUserFrame) {
  RunRecord record = deadlock();
  std::vector<SiteEntry> sites(record.sites->entries().begin(), record.sites->entries().end());
  sites.insert(sites.begin(), SiteEntry{});
  SiteEntry library = sites[1];
  library.flags = kSiteLibrary;
  library.linkageName = "_ZNSt5mutex4lockEv";
  library.file = "/usr/include/mutex";
  library.identity = static_cast<SiteIdentity>(99);
  sites.push_back(library); // id 4
  record.sites = std::make_shared<SiteCatalog>(std::move(sites));
  record.failure = FailureKind::Assertion;
  record.thread = static_cast<ThreadIndex>(1);
  record.site = static_cast<SiteId>(4);
  record.threads[1].state = ThreadState::Runnable;
  record.threads[1].frames[0] = 2;
  record.threads[1].frames[1] = 4;
  record.threads[1].frameCount = 2;
  CapturedRun failing;
  failing.record = record;
  Finding finding = buildFinding(failing, record, nullptr, 0);
  ASSERT_EQ(finding.sites.size(), 1u);
  EXPECT_EQ(finding.sites[0].location.file, "dl.cpp");
  EXPECT_EQ(finding.sites[0].location.line, 20u);
  ASSERT_EQ(finding.sites[0].stack.size(), 2u);
  EXPECT_EQ(finding.sites[0].stack[0].file, "/usr/include/mutex");
}

TEST(FindingBuilder, NotesWhatARunNeeded) {
  CapturedRun failing;
  failing.record = deadlock();
  failing.record.result.flags = kResultTimeout | kResultEnvironment;
  Finding finding = buildFinding(failing, failing.record, nullptr, 0);
  EXPECT_EQ(finding.notes, (std::vector<std::string>{"environment-dependent", "needs --time=any"}));
}

} // namespace
} // namespace heddle
