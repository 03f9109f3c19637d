/// A program that speaks the runtime's side of model/batch.h without any runtime, and misbehaves
/// on demand. What a "run" does is a function of its seed, so that tests know what to expect.
///
///   fake_program [key=value ...]
///
/// fail=N        the run with seed N fails (an assertion), and so does a replay of its schedule
/// fail-from=N   so do all runs from seed N on; every fifth has a short schedule
/// exit=N        the run with seed N ends with status 3
/// die=N         the process kills itself in the run with seed N
/// die-once=FILE the same, at seed 5, only while FILE does not exist
/// hang=N        the run with seed N computes for ever; answers the watchdog's signal
/// long=N        the run with seed N makes steps for ever (0: the one without preemption)
/// long-replay=1 so does every replay
/// cut=N         the run with seed N is cut
/// refuse=1      refuses to start
/// early=1       exits before it reaches main
/// never=1       never reaches main
/// idle=1        stops at Idle before its first plan
/// events=N      writes N events per run when asked to record
/// inplace=0     cannot be restored in place
/// fork=0        cannot be run in a fork server
/// donors=N      needs N donors
/// padding=N     a run that fails has N more decisions, which do not matter to it: a tolerant
/// replay
///               fails without them, too. Every decision is a preemption
/// drift=1       a replay has another digest than the run
/// drift-short=1 only one of a schedule with a single decision has
/// status=N      the exit status of runs that go well
/// echo=1        each run copies its input to its output
#include "model/batch.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bit>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

using namespace heddle;

extern "C" __attribute__((visibility("default"), used)) void __heddle_register(ModuleDescriptor*) {}

namespace {

BatchHeader* batch = nullptr;
std::map<std::string, std::string> settings;

uint64_t setting(const char* key, uint64_t fallback) {
  auto found = settings.find(key);
  return found == settings.end() ? fallback : strtoull(found->second.c_str(), nullptr, 10);
}

template <typename T> T* region(const Region& place) {
  return reinterpret_cast<T*>(reinterpret_cast<char*>(batch) + place.offset);
}

void wake(volatile void* word) {
  syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void setPhase(Phase phase) {
  batch->phase = phase;
  wake(&batch->phase);
}

void answerWatchdog(int) {
  batch->detail.thread = 1;
  batch->detail.site = 2;
  batch->dumpRequest = 0;
}

/// Site 1 is a call in main, site 2 an access in worker(); both in fake.cpp.
void dumpSites() {
  static const char strings[] = "\0main\0_Z6workerv\0fake.cpp\0counter\0/fake";
  auto* header = region<SiteRegionHeader>(batch->sites);
  auto* sites = reinterpret_cast<DumpedSite*>(header + 1);
  memset(sites, 0, 3 * sizeof(DumpedSite));
  for (int id = 1; id <= 2; ++id) {
    SiteRecord& record = sites[id].record;
    record.identity = 100 * id;
    record.function = id == 1 ? 1 : 6;
    record.file = 17;
    record.line = 10 * id;
    record.column = 5;
    record.object = id == 1 ? 0 : 26;
    record.size = id == 1 ? 0 : 4;
    record.kind = id == 1 ? SiteKind::Call : SiteKind::Write;
    sites[id].module = 34;
    if (batch->plan.flags & kPlanLearn)
      sites[id].learned = kLearnedExecuted | (id == 2 ? kLearnedShared : 0) |
                          (id == 2 && batch->plan.localSites != 0 ? kLearnedForeign : 0);
  }
  memcpy(sites + 3, strings, sizeof(strings));
  header->siteCount = 2;
  header->stringBytes = sizeof(strings);
  header->moduleCount = 1;
  header->complete = 1;
}

void putEvent(uint64_t number, unsigned thread) {
  auto* ring = region<RingHeader>(batch->ring);
  char* data = region<char>(batch->ring) + kRingDataOffset;
  uint64_t size = std::bit_floor(batch->ring.bytes - kRingDataOffset);
  while (ring->head - ring->tail + sizeof(Event) > size) {
    ring->producerWaiting = 1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (ring->head - ring->tail + sizeof(Event) > size)
      usleep(100);
    ring->producerWaiting = 0;
  }
  Event event{};
  event.address = 0x1000 + number;
  event.kind = static_cast<uint8_t>(EventKind::Write);
  event.site = 2;
  event.thread = thread & 0xffff;
  event.size = 4;
  memcpy(data + ring->head % size, &event, sizeof(event));
  __atomic_store_n(&ring->head, ring->head + sizeof(Event), __ATOMIC_RELEASE);
}

void fillThreads() {
  RunDetail& detail = batch->detail;
  detail.threadCount = 2;
  memset(detail.threads, 0, 2 * sizeof(ThreadDetail));
  ThreadDetail& main = detail.threads[0];
  main.path = ThreadPath::Main;
  main.parent = raw(ThreadIndex::None);
  main.state = ThreadState::Blocked;
  main.wait = WaitKind::Join;
  main.site = 1;
  main.waitOwner = 1;
  ThreadDetail& worker = detail.threads[1];
  worker.path = childPath(ThreadPath::Main, 1);
  worker.ordinal = 1;
  worker.site = 2;
  worker.createSite = 1;
  worker.waitOwner = raw(ThreadIndex::None);
}

void fail(RunResult& result) {
  result.outcome = Outcome::Failed;
  batch->detail.failure = FailureKind::Assertion;
  batch->detail.thread = 1;
  batch->detail.site = 2;
  strcpy(batch->detail.message, "assertion failed: counter == 2");
}

void echoInput() {
  char buffer[4096];
  lseek(0, 0, SEEK_SET);
  ssize_t got;
  while ((got = read(0, buffer, sizeof(buffer))) > 0)
    (void)!write(1, buffer, static_cast<size_t>(got));
}

/// The number that decides what a run does: its seed, or that of the replayed run.
uint64_t decideRun(RunResult& result) {
  const Plan& plan = batch->plan;
  auto* decisions = region<Decision>(batch->decisions);
  if (plan.strategy == StrategyKind::NonPreemptive)
    return 0;
  uint64_t number = result.seed;
  auto padding = static_cast<uint32_t>(setting("padding", 0));
  if (plan.strategy == StrategyKind::Replay) {
    const auto* schedule = region<Decision>(batch->schedule);
    // Padding is sorted behind what matters.
    bool decided = plan.decisions != 0 && schedule[0].site == static_cast<SiteIdentity>(100);
    number = decided ? schedule[0].occurrence : 0;
    padding = decided ? static_cast<uint32_t>(plan.decisions) - 1 : 0;
  }
  if (number == 0)
    return 0;
  decisions[0] = {ThreadPath::Main, static_cast<SiteIdentity>(100), childPath(ThreadPath::Main, 1),
                  static_cast<uint32_t>(number), DecisionKind::Switch};
  result.decisions = 1;
  if (setting("fail-from", UINT64_MAX) <= number)
    for (; result.decisions < 1 + number % 5; ++result.decisions)
      decisions[result.decisions] = decisions[0];
  else
    for (; result.decisions < 1 + padding; ++result.decisions)
      decisions[result.decisions] = {ThreadPath::Main, static_cast<SiteIdentity>(300),
                                     childPath(ThreadPath::Main, 1), result.decisions,
                                     DecisionKind::Switch};
  result.preemptions = result.decisions;
  result.switches = result.decisions + 1;
  return number;
}

void dieIfAsked(uint64_t number) {
  bool once =
      settings.count("die-once") && number == 5 && access(settings["die-once"].c_str(), F_OK) != 0;
  if (once)
    fclose(fopen(settings["die-once"].c_str(), "w"));
  if (once || number == setting("die", UINT64_MAX))
    kill(getpid(), SIGKILL);
}

[[noreturn]] void stepForEver() {
  for (;;) {
    batch->currentSteps = batch->currentSteps + 1;
    usleep(100);
  }
}

void oneRun(uint64_t index) {
  RunResult result{};
  result.seed = batch->plan.firstSeed + index;
  batch->currentRun = index;
  batch->currentSteps = 1;
  uint64_t number = decideRun(result);
  if (batch->plan.flags & kPlanCapture)
    (void)!ftruncate(1, 0);
  if (setting("echo", 0))
    echoInput();
  dieIfAsked(number);
  if (number == setting("hang", UINT64_MAX))
    for (volatile uint64_t spin = 0;;)
      spin = spin + 1;
  bool replays = batch->plan.strategy == StrategyKind::Replay;
  if (replays ? setting("long-replay", 0) != 0 : number == setting("long", UINT64_MAX))
    stepForEver();
  result.outcome = Outcome::Finished;
  result.exitStatus = static_cast<int32_t>(setting("status", 0));
  result.steps = 20 + number % 7;
  result.threads = 2;
  result.peakThreads = static_cast<uint32_t>(setting("donors", 2));
  result.digest = mix(7, number);
  bool strict = replays && !(batch->plan.flags & kPlanTolerant);
  if (replays &&
      (setting("drift", 0) || (setting("drift-short", 0) && strict && batch->plan.decisions == 1)))
    result.digest += 1;
  if (batch->plan.flags & (kPlanRecord | kPlanRecordListed))
    for (uint64_t i = 0; i < setting("events", 0); ++i)
      putEvent(i, static_cast<unsigned>(i % 2)), ++result.events;
  fillThreads();
  if (number == setting("exit", UINT64_MAX))
    result.exitStatus = 3;
  if (number == setting("cut", UINT64_MAX))
    result.outcome = Outcome::Cut;
  bool fails = number == setting("fail", UINT64_MAX) || number >= setting("fail-from", UINT64_MAX);
  if (number != 0 && fails)
    fail(result);
  region<RunResult>(batch->results)[index] = result;
  batch->runsDone = index + 1;
}

BatchStop runAll() {
  const Plan& plan = batch->plan;
  if (plan.flags & kPlanDumpSites)
    dumpSites();
  if (plan.flags & kPlanDescribeOnly)
    return BatchStop::AllRuns;
  if (plan.isolation == Isolation::InPlace && setting("inplace", 1) == 0)
    return BatchStop::NeedExec;
  if (plan.isolation == Isolation::Fork && setting("fork", 1) == 0)
    return BatchStop::NeedExec;
  for (uint64_t i = 0; i < plan.runCount; ++i) {
    oneRun(i);
    const RunResult& result = region<RunResult>(batch->results)[i];
    if (result.outcome != Outcome::Finished || result.exitStatus != plan.expectedExit)
      return BatchStop::Failure;
    if (plan.isolation != Isolation::Exec && result.peakThreads > plan.donorPool)
      return BatchStop::NeedExec;
  }
  return BatchStop::AllRuns;
}

[[noreturn]] void serve() {
  if (setting("idle", 0))
    setPhase(Phase::Idle);
  for (;;) {
    Phase phase = batch->phase;
    if (phase == Phase::Quit)
      _exit(0);
    if (phase != Phase::PlanReady) {
      syscall(SYS_futex, &batch->phase, FUTEX_WAIT, phase, nullptr, nullptr, 0);
      continue;
    }
    batch->phase = Phase::Running;
    bool last = batch->plan.isolation == Isolation::Exec;
    batch->stop = runAll();
    setPhase(Phase::Done);
    if (last)
      _exit(0);
  }
}

} // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::string text = argv[i];
    size_t equals = text.find('=');
    settings[text.substr(0, equals)] = equals == std::string::npos ? "" : text.substr(equals + 1);
  }
  const char* descriptor = getenv(kBatchFdVariable);
  if (!descriptor)
    return 9;
  if (setting("early", 0)) {
    puts("no licence");
    fflush(stdout);
    return 7;
  }
  int fd = atoi(descriptor);
  uint64_t bytes = static_cast<uint64_t>(lseek(fd, 0, SEEK_END));
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  batch = static_cast<BatchHeader*>(mapped);
  if (mapped == MAP_FAILED || batch->magic != kBatchMagic || batch->totalBytes != bytes)
    return 8;
  if (setting("never", 0))
    for (volatile uint64_t spin = 0;;)
      spin = spin + 1;
  batch->serverPid = static_cast<uint32_t>(getpid());
  batch->pid = batch->serverPid;
  signal(kWatchdogSignal, answerWatchdog);
  if (setting("refuse", 0)) {
    strcpy(batch->startupError, "the fake runtime refuses to start");
    return 4;
  }
  serve();
}
