#include "samples.h"

namespace heddle::test {

namespace {

Location at(unsigned line, unsigned column, const std::string& function) {
  return {"bank.cpp", line, column, function};
}

const Location kMain = at(69, 15, "main");
const Location kTransfer = at(55, 22, "Bank::transfer(unsigned long, unsigned long, long)");
const Location kBalance = at(20, 12, "Account::balance() const");
const Location kWithdraw = at(30, 14, "Account::withdraw(long)");
const Location kAssert = at(31, 5, "Account::withdraw(long)");

ThreadInfo thread(unsigned index, const std::string& name, const std::string& state) {
  ThreadInfo info;
  info.index = index;
  info.path = std::to_string(index);
  info.name = name;
  info.state = state;
  if (index != 0)
    info.createdAt = {at(68 + index, 15, "main")};
  return info;
}

FindingSite site(const Location& location, const std::string& access, const std::string& object,
                 unsigned threadIndex, unsigned size) {
  FindingSite result;
  result.location = location;
  result.linkageName = "_ZN7Account8withdrawEl";
  result.access = access;
  result.object = object;
  result.thread = threadIndex;
  result.size = size;
  result.stack = {location, kTransfer};
  return result;
}

Report report(const std::string& command) {
  Report result;
  result.command = command;
  result.program = {"./bank", "--accounts", "3"};
  result.seconds = 1.25;
  result.runs = 1037;
  return result;
}

Step step(uint64_t index, unsigned threadIndex, const Location& location, const std::string& action,
          const std::string& value = "", bool switched = false) {
  return {index, threadIndex, location, action, value, switched};
}

} // namespace

Report assertionReport() {
  Finding finding;
  finding.id = "H-3f2a00000001";
  finding.kind = FindingKind::Assertion;
  finding.status = FindingStatus::Confirmed;
  finding.message = "assertion `balance_ >= 0 && \"an account was overdrawn\"' failed";
  finding.sites = {site(kAssert, "call", "", 1, 0)};
  finding.failure = FailureInfo{FindingKind::Assertion, finding.message, finding.sites[0]};
  finding.schedule = "heddle-schedule 1: 1@bank#20 -> 2";
  finding.replay = "heddle replay H-3f2a00000001";
  finding.threads = {thread(0, "", "blocked: joins T1"), thread(1, "rent", "failed"),
                     thread(2, "", "runnable")};
  finding.steps = {
      step(12, 1, at(19, 33, "Account::balance() const"), "lock Account::mutex_"),
      step(13, 1, kBalance, "read Account::balance_", "= 100"),
      step(14, 1, kBalance, "unlock Account::mutex_"),
      step(15, 2, kBalance, "lock Account::mutex_", "", true),
      step(16, 2, kBalance, "read Account::balance_", "= 100"),
      step(18, 2, kWithdraw, "write Account::balance_", "= 50"),
      step(19, 1, kWithdraw, "write Account::balance_", "= -20", true),
      step(20, 1, kAssert, "assertion fails"),
  };
  finding.output = "starting\noverdrawn\n";
  finding.strategy = "pct";
  finding.seed = 36;
  finding.run = 37;
  finding.digest = 0x0123456789abcdefull;
  Report result = report("check");
  result.findings = {finding};
  result.summary = {"without preemption: 1 run, no failure", "recording: 3 runs, 12 shared sites"};
  result.notSeen = {"libfoo.so (not instrumented)"};
  return result;
}

Report raceReport() {
  Finding finding;
  finding.id = "H-77aa00000002";
  finding.kind = FindingKind::DataRace;
  finding.status = FindingStatus::Harmful;
  finding.message = "data race on Counter::value between Counter::add and Counter::add";
  finding.sites = {site(at(12, 5, "Counter::add()"), "write", "Counter::value", 2, 4),
                   site(at(11, 9, "Counter::add()"), "read", "Counter::value", 1, 4)};
  finding.failure = FailureInfo{FindingKind::ExitStatus, "exit status 1, expected 0", std::nullopt};
  finding.probability = 0.938;
  finding.schedule = "heddle-schedule 1: 1@counter#11 -> 2";
  finding.replay = "heddle replay H-77aa00000002";
  finding.threads = {thread(1, "", "finished"), thread(2, "", "finished")};
  finding.steps = {step(5, 1, at(11, 9, "Counter::add()"), "read Counter::value", "= 0"),
                   step(6, 2, at(11, 9, "Counter::add()"), "read Counter::value", "= 0", true),
                   step(7, 2, at(12, 5, "Counter::add()"), "write Counter::value", "= 1"),
                   step(8, 1, at(12, 5, "Counter::add()"), "write Counter::value", "= 1", true)};
  Finding potential;
  potential.id = "H-880000000003";
  potential.kind = FindingKind::AtomicityViolation;
  potential.status = FindingStatus::Potential;
  potential.message = "size() and pop() of queue may be interleaved by another pop()";
  potential.sites = {site(at(90, 3, "consume()"), "atomic", "queue", 1, 8)};
  potential.notes = {"needs --time=any", "environment-dependent"};
  Report result = report("races");
  result.findings = {finding, potential};
  result.warnings = {"libbar.so has no debug information: compile it with -g"};
  auto& facts = result.factsAs<SearchSummary>();
  facts.fromSource = {12, 3, 40, 0};
  facts.candidates = 15;
  facts.functionsNotSeen = {{"libbar.so", {"bar()"}}};
  return result;
}

Report violationReport() {
  Finding finding;
  finding.id = "H-a70000000005";
  finding.kind = FindingKind::AtomicityViolation;
  finding.status = FindingStatus::Harmful;
  finding.message = "Bank::transfer reads `balance_` of Account and writes it later; it fails";
  finding.sites = {site(kBalance, "read", "Account::balance_", 1, 8),
                   site(kWithdraw, "write", "Account::balance_", 2, 8),
                   site(kWithdraw, "write", "Account::balance_", 1, 8)};
  finding.schedule = "heddle-schedule 1: 1@bank#20 -> 2";
  finding.replay = "heddle replay H-a70000000005";
  finding.pattern = 1;
  finding.inferred = true;
  for (unsigned i = 0; i < 5; ++i) {
    RelatedPattern related;
    related.id = "H-b0000000000" + std::to_string(i);
    related.status = FindingStatus::Harmful;
    related.pattern = 2 + i;
    related.message = "pattern " + std::to_string(related.pattern) + " of the same";
    related.sites = {finding.sites[0], finding.sites[1],
                     site({"account.h", 7, 3, "Account::fee()"}, "read", "Account::fee_", 1, 8)};
    related.probability = 0.5;
    related.candidates = {"1 2 3"};
    finding.related.push_back(related);
  }
  Report result = report("atomicity");
  result.findings = {finding};
  return result;
}

Report deadlockReport() {
  Finding finding;
  finding.id = "H-dead00000004";
  finding.kind = FindingKind::Deadlock;
  finding.status = FindingStatus::Confirmed;
  finding.message = "T1 and T2 wait for each other";
  const Location first = at(41, 7, "transfer(Account&, Account&)");
  const Location second = at(42, 7, "transfer(Account&, Account&)");
  finding.sites = {site(second, "lock", "b.mutex", 1, 0), site(second, "lock", "a.mutex", 2, 0)};
  ThreadInfo one = thread(1, "left", "blocked: waits for mutex b.mutex held by T2");
  one.stack = {second, kMain};
  one.held = {"a.mutex (locked at bank.cpp:41:7)"};
  ThreadInfo two = thread(2, "right", "blocked: waits for mutex a.mutex held by T1");
  two.stack = {second, kMain};
  two.held = {"b.mutex (locked at bank.cpp:41:7)"};
  ThreadInfo zero = thread(0, "", "blocked: joins T1");
  zero.stack = {kMain};
  finding.threads = {zero, one, two, thread(3, "", "finished")};
  finding.failure = FailureInfo{FindingKind::Deadlock, "no thread can run", std::nullopt};
  finding.schedule = "heddle-schedule 1: 1@bank#41 -> 2";
  finding.replay = "heddle replay H-dead00000004";
  finding.steps = {step(3, 1, first, "lock a.mutex"), step(4, 2, first, "lock b.mutex", "", true),
                   step(5, 2, second, "lock a.mutex", "blocks"),
                   step(6, 1, second, "lock b.mutex", "blocks")};
  Report result = report("run");
  result.findings = {finding};
  return result;
}

Report nothingReport() {
  Report result = report("check");
  result.program = {"./bank", "it's", ""};
  result.runs = 1;
  return result;
}

Report hostileReport() {
  Finding finding;
  finding.id = "H-000000000005";
  finding.kind = FindingKind::Exception;
  finding.status = FindingStatus::Confirmed;
  finding.message = "uncaught exception of type std::runtime_error:\n\x1b[31mred\x07 \"quoted\"";
  finding.failure = FailureInfo{FindingKind::Exception, "line one\nline two", std::nullopt};
  finding.notes = {"a\nb"};
  for (unsigned i = 0; i < 100; ++i)
    finding.steps.push_back(step(i * 10, i % 9, {}, "call f" + std::to_string(i), "", i % 7 == 0));
  finding.steps[2].action = std::string(70, 'x') + "\xc3\xa4";
  finding.steps[3].location = {"/usr/include/a b%.h", 7, 0, ""};
  for (unsigned i = 0; i < 20; ++i)
    finding.threads.push_back(thread(i, i % 2 ? "" : "w\x1b", "runnable"));
  for (unsigned i = 0; i < 60; ++i)
    finding.output += "line " + std::to_string(i) + "\n";
  finding.output += "tab\there \x1b[2J\xff";
  Report result = report("run");
  result.findings = {finding};
  result.program = {"./a program"};
  result.runs = 1;
  return result;
}

std::vector<Sample> samples() {
  return {{"assertion", assertionReport(), false, false},
          {"assertion-colour", assertionReport(), true, true},
          {"race", raceReport(), false, false},
          {"deadlock", deadlockReport(), false, false},
          {"nothing", nothingReport(), false, false},
          {"hostile", hostileReport(), false, true}};
}

} // namespace heddle::test
