// batch_runner exec|fork|inplace|watchdog RUNS BATCHES EXPECTED_EXIT PROGRAM [ARGUMENTS...]
//
// A controller for tests: batches of runs in one process, then what the runtime wrote about the
// last run as lines of text. All batches must end in the same way. The program's output goes to
// the files ./stdout and ./stderr. With watchdog the program is asked where its threads are.
#include "model/batch.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/futex.h>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace heddle;

namespace {

constexpr const char* kKinds[] = {"none",         "assertion",   "crash",
                                  "exception",    "deadlock",    "hang",
                                  "memory-error", "exit-status", "not-linearizable"};
constexpr const char* kOutcomes[] = {"not-run",  "finished",     "failed", "cut",
                                     "diverged", "lost-control", "died",   "idle"};
constexpr const char* kWaits[] = {"none",      "mutex",   "read-lock", "write-lock", "spin",
                                  "condition", "barrier", "semaphore", "once",       "guard",
                                  "futex",     "join",    "sleep",     "io",         "library"};

uint64_t end = 0;
Region region(uint64_t bytes) {
  Region result{end, bytes};
  end += (bytes + 4095) & ~4095ull;
  return result;
}

int createBatch(BatchHeader& header, const char* isolation, uint64_t runs, int expectedExit) {
  end = (sizeof(BatchHeader) + 4095) & ~4095ull;
  header.magic = kBatchMagic;
  header.version = kBatchVersion;
  header.headerBytes = sizeof(BatchHeader);
  header.phase = Phase::PlanReady;
  header.plan.strategy = runs > 1 ? StrategyKind::Random : StrategyKind::NonPreemptive;
  header.plan.isolation = strcmp(isolation, "fork") == 0      ? Isolation::Fork
                          : strcmp(isolation, "inplace") == 0 ? Isolation::InPlace
                                                              : Isolation::Exec;
  header.plan.runCount = runs;
  header.plan.maxSteps = 1000000;
  header.plan.points = PointSet::All;
  header.plan.flags = kPlanCheckHeap | kPlanCapture;
  header.plan.timeBase = 1'700'000'000'000'000'000ull;
  header.plan.expectedExit = expectedExit;
  header.plan.donorPool = 4;
  header.listedSites = region(4096);
  header.schedule = region(4096);
  header.decisions = region(1 << 20);
  header.results = region(kMaxBatchRuns * sizeof(RunResult));
  header.behaviourTable = region(kBehaviourSlots * sizeof(uint64_t));
  header.behaviourLog = region(kBehaviourSlots * sizeof(uint64_t));
  header.sites = region(1 << 22);
  header.ring = region(1 << 20);
  header.totalBytes = end;
  int fd = memfd_create("batch", 0);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(end)) != 0 ||
      pwrite(fd, &header, sizeof header, 0) != static_cast<ssize_t>(sizeof header))
    exit(1);
  return fd;
}

pid_t start(int fd, char** program) {
  pid_t child = fork();
  if (child != 0)
    return child;
  setenv(kBatchFdVariable, std::to_string(fd).c_str(), 1);
  dup2(open("stdout", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600), 1);
  dup2(open("stderr", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600), 2);
  execv(program[0], program);
  _exit(127);
}

/// False when the process ended instead.
bool waitUntilDone(BatchHeader& batch, pid_t child) {
  int status = 0;
  while (batch.phase != Phase::Done) {
    if (waitpid(child, &status, WNOHANG) != 0 && batch.phase != Phase::Done) {
      printf("process ended: %s %d\n", WIFSIGNALED(status) ? "signal" : "status",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
      return false;
    }
    usleep(200);
  }
  return true;
}

void setPhase(BatchHeader& batch, Phase phase) {
  batch.phase = phase;
  syscall(SYS_futex, const_cast<Phase*>(&batch.phase), FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

const RunResult& lastResult(const BatchHeader& batch) {
  return reinterpret_cast<const RunResult*>(reinterpret_cast<const char*>(&batch) +
                                            batch.results.offset)[batch.runsDone - 1];
}

/// Runs the same batch again and again; false when one ended differently or not at all.
bool runBatches(BatchHeader& batch, pid_t child, int batches) {
  RunResult first{};
  for (int i = 0; i < batches; ++i) {
    if (i > 0)
      setPhase(batch, Phase::PlanReady);
    if (!waitUntilDone(batch, child) || batch.runsDone == 0)
      return false;
    const RunResult& last = lastResult(batch);
    if (i == 0)
      first = last;
    if (last.outcome != first.outcome || last.digest != first.digest) {
      printf("batch %d differs\n", i);
      return false;
    }
  }
  setPhase(batch, Phase::Quit);
  waitpid(child, nullptr, 0);
  return true;
}

void printDetail(const RunDetail& detail) {
  printf("%s \"%s\"\n", kKinds[static_cast<uint32_t>(detail.failure)], detail.message);
  printf("thread %u\nsignal %d\naddress 0x%lx\n", detail.thread, detail.signal, detail.address);
  printf("heap allocated T%u freed T%u\n", detail.allocationThread, detail.freeThread);
  for (uint32_t i = 0; i < detail.threadCount; ++i)
    if (detail.threads[i].state == ThreadState::Blocked)
      printf("waits T%u %s\n", i, kWaits[static_cast<uint32_t>(detail.threads[i].wait)]);
}

/// Asks a silent program where it is, as the controller's watchdog does.
int watch(BatchHeader& batch, pid_t child) {
  usleep(300000);
  batch.dumpRequest = 1;
  kill(static_cast<pid_t>(batch.pid), kWatchdogSignal);
  for (int i = 0; i < 5000 && batch.dumpRequest == 1; ++i)
    usleep(1000);
  printf("dump %u\n", batch.dumpRequest);
  printDetail(batch.detail);
  kill(child, SIGKILL);
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 6)
    return 1;
  auto* header = static_cast<BatchHeader*>(calloc(1, sizeof(BatchHeader)));
  int fd = createBatch(*header, argv[1], strtoull(argv[2], nullptr, 10), atoi(argv[4]));
  auto* batch =
      static_cast<BatchHeader*>(mmap(nullptr, end, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  pid_t child = start(fd, argv + 5);
  if (strcmp(argv[1], "watchdog") == 0)
    return watch(*batch, child);
  bool alike = runBatches(*batch, child, atoi(argv[3]));
  if (batch->startupError[0])
    printf("refused: %s\n", batch->startupError);
  if (batch->runsDone == 0)
    return 2;
  const RunResult& last = lastResult(*batch);
  printf("runs %lu\nstop %u\n", static_cast<unsigned long>(batch->runsDone),
         static_cast<uint32_t>(batch->stop));
  printf("%s %d\n", kOutcomes[static_cast<uint32_t>(last.outcome)], last.exitStatus);
  if (last.outcome != Outcome::Finished)
    printDetail(batch->detail);
  return alike ? 0 : 3;
}
