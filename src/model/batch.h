#pragma once

#include "event.h"
#include "ids.h"
#include "schedule.h"
#include "site_table.h"
#include "target.h"

#include <stdint.h>

/// The shared memory through which the controller and the runtime in the program talk: one memfd,
/// mapped by both, with a fixed layout, outside every snapshot, readable after SIGKILL.
///
/// Life of a batch: the controller writes the plan and the lists after it, sets `phase` to
/// PlanReady and wakes the futex. The runtime runs the plan (the run loop is in the program) and
/// ends each batch with phase Done: when all runs are made, when a run failed (so that its details
/// can be read before the next run overwrites them), or when it cannot go on. The controller
/// then reads results and details, and writes the next plan or sets Quit.
/// With Isolation::Exec the plan is there before the program starts and the process ends after
/// its only run.
///
/// The file descriptor number is in the environment variable kBatchFdVariable. A program that is
/// started without it runs freely: hooks off, real threads are still fibers, default schedule.
namespace heddle {

inline constexpr const char* kBatchFdVariable = "HEDDLE_BATCH_FD";
/// Set by the controller: the program reaches heddle_ready() on the path that its arguments choose,
/// and runs start there, as in a program that contains HEDDLE_READY().
inline constexpr const char* kStartsReadyVariable = "HEDDLE_STARTS_READY";
inline constexpr uint64_t kBatchMagic = 0x48434241'4c444548ull;
inline constexpr uint32_t kBatchVersion = 9;

enum class Phase : uint32_t {
  Starting, ///< the program has not reached the entry of main
  Idle,     ///< stopped at the snapshot point, waiting for a plan
  PlanReady,
  Running,
  Done, ///< results can be read; `stop` says why the batch ended
  Quit,
};

enum class Isolation : uint32_t { Exec, Fork, InPlace };

/// X(enumerator, name on the command line)
#define HEDDLE_STRATEGIES(X)                                                                       \
  X(NonPreemptive, "none")                                                                         \
  X(Random, "random")                                                                              \
  X(Pct, "pct")                                                                                    \
  X(Pos, "pos")                                                                                    \
  X(Surw, "surw")                                                                                  \
  X(RoundRobin, "round-robin")                                                                     \
  X(Directed, "directed")                                                                          \
  X(RunToBlock, "run-to-block")                                                                    \
  X(LockPattern, "lock-pattern")                                                                   \
  X(Prefix, "prefix")                                                                              \
  X(Replay, "replay")

enum class StrategyKind : uint32_t {
#define HEDDLE_STRATEGY_ENUM(name, text) name,
  HEDDLE_STRATEGIES(HEDDLE_STRATEGY_ENUM)
#undef HEDDLE_STRATEGY_ENUM
};

/// Which accesses are scheduling points besides sync operations, which always are.
enum class PointSet : uint32_t {
  Sync,   ///< sync operations and atomics
  Listed, ///< sync operations and the sites in the plan's list (what recordings found shared)
  All,    ///< every access
};

enum PlanFlags : uint32_t {
  kPlanLearn = 1,          ///< find the sites that touch shared memory (result: SiteDump flags)
  kPlanRecord = 2,         ///< write a trace of all hooked accesses and sync operations to the ring
  kPlanRecordListed = 4,   ///< the same for the listed sites and sync operations only
  kPlanValues = 8,         ///< with a trace: value events too
  kPlanStacks = 16,        ///< hooked clones everywhere, so that shadow stacks are complete
  kPlanDumpSites = 32,     ///< fill the site region before the first run
  kPlanSpurious = 64,      ///< condition variables may wake spuriously
  kPlanTimeAny = 128,      ///< timed waits may expire at any point
  kPlanCheckHeap = 256,    ///< report use after free at hooked sites and invalid frees
  kPlanDescribeOnly = 512, ///< dump the sites and end: `heddle sites`
  kPlanUntilIdle = 1024,   ///< the run ends well when nobody can run and threads wait for work
  kPlanCapture =
      2048, ///< descriptors 1 and 2 are the controller's capture: emptied before each run
  kPlanCallers = 4096,       ///< with a trace: Call events that name the callers of library code
  kPlanStopAtMeeting = 8192, ///< the batch ends after a run in which the target was triggered
  kPlanUnits =
      16384, ///< with a trace: Enter events, and Frame events that keep track of call stacks
  kPlanTolerant = 32768,       ///< Replay: decisions that do not apply are passed over; see
                               ///< TolerantReplay. The schedule is sorted by isFiledBefore
  kPlanUncheckedSites = 65536, ///< listed sites that are no points are not checked either
  kPlanHalves = 1 << 17,  ///< the second half of an operation is a point, too: the way out of a
                          ///< barrier, the end of a call_once; and a failure is one
  kPlanExplore = 1 << 18, ///< failing runs do not end the batch; with a trace: values at points,
                          ///< what threads would do next at the end of the run, its failure
  kPlanDelays = 1 << 19,  ///< timed waits may expire while somebody could run, as far as threads of
                          ///< a busy machine are delayed
};

struct Plan {
  StrategyKind strategy;
  Isolation isolation;
  PointSet points;
  uint32_t flags;     ///< PlanFlags
  uint64_t firstSeed; ///< run i uses firstSeed + i
  uint64_t runCount;
  uint64_t maxSteps;  ///< steps after which a run is cut; 0: no limit
  uint64_t wallNanos; ///< the batch ends after the run that passes this; 0: no limit. The
                      ///< controller kills a run that goes on for long after it
  uint64_t timeBase;  ///< virtual time at start, nanoseconds since 1970
  uint32_t pctDepth;
  uint32_t donorPool;       ///< fibers to prepare before the snapshot
  uint64_t estimatedSteps;  ///< PCT, POS: length of a run, from earlier ones
  uint64_t listedSites;     ///< number of entries in the listed-site region, sorted
  uint64_t selectedSites;   ///< Surw: entries of that region after the listed ones, sorted; 0: all
  uint64_t localSites;      ///< entries of that region after the selected ones, sorted: sites that
                            ///< are said to touch their own thread's memory only. Those of the
                            ///< executable are neither recorded nor, for long, learned from
  uint64_t localExecutions; ///< how often a run looks whether that is true, for each of them
  uint64_t decisions;       ///< Replay: number of entries in the schedule region
  uint64_t traceLimit;      ///< events after which the trace ends, about; 0: it is complete
  int32_t
      expectedExit; ///< a run that finishes with another status ends the batch (BatchStop::Failure)
  uint32_t reserved;
  /// Its sites are scheduling points in addition to `points`, and meetings there are reported.
  /// With points Sync the listed sites are not points, but checked for use after free.
  Target target;
  Approach approach; ///< Directed
  /// Steps that a thread makes alone before others get a turn, whatever it does; 0: the default.
  uint64_t turnSteps;
  /// Unseen code: entries of the listed-site region after the local ones, sorted: nameHash of the
  /// executable's functions that were compiled without the pass.
  uint64_t unseenNames;
  /// Windows of a long run. Not 0: the batch is one pass through the program, in which threads
  /// change seldom and listed sites are no points; at runCount - 1 places of it a forked copy
  /// interleaves so many choices under the strategy, with its points, and is a run of its own. The
  /// pass is the last one. Replay: the listed sites are points in the window only.
  uint64_t windowLength;
  uint64_t windowFirst; ///< Replay: the step at which the window begins
  uint64_t passChoices; ///< choices of such a pass, from earlier ones
  /// Thinning, see runtime/thinning.h: of each thread's executions of a listed site that is not
  /// atomic, or of a target's, the first `thinFirst` are points, and of the later ones blocks of
  /// `thinLength` at random; 0: all of them. A pass is thinned, its windows are not.
  uint64_t thinFirst;
  uint64_t thinLength;
  uint64_t thinSeed; ///< Replay: the seed of the run that was thinned
  /// Not 0, without a target: locks and unlocks of mutexes, and atomics, are thinned out, too, with
  /// at most so many blocks between two that are points; after a window as before it.
  uint64_t thinSync;
};

enum class FailureKind : uint32_t {
  None,
  Assertion, ///< assert, HEDDLE_ASSERT, abort
  Crash,     ///< fatal signal
  Exception, ///< uncaught exception
  Deadlock,
  Hang,
  MemoryError,
  ExitStatus,
  NotLinearizable, ///< an outcome that no serial order of the same calls gives
};

/// How a run ended.
enum class Outcome : uint32_t {
  NotRun,
  Finished,    ///< exit status in the result; the controller judges it
  Failed,      ///< see FailureDetail
  Cut,         ///< step budget used while threads still progressed
  Diverged,    ///< replay: the schedule could not be followed; message says where
  LostControl, ///< the runtime cannot go on truthfully; message says why
  Died,        ///< the process was killed by a signal that the runtime did not see
  Idle,        ///< --until-idle
  Explored,    ///< ended well some way after its window; see Plan::windowLength
};

enum ResultFlags : uint32_t {
  kResultEnvironment = 1, ///< waited for a descriptor that leaves the process
  kResultTimeout = 2,     ///< the strategy let time go on although somebody could run
  kResultSpurious = 4,
  kResultNotRestorable = 8, ///< did something that memory restore cannot undo
  kResultForcedYield = 16,  ///< a thread that repeated itself was made to give way
  kResultTurn = 32,         ///< a thread ran alone for so long that others got a turn
  kResultOutlives = 64,     ///< did something that does not end with a copy of the process
  kResultTimedWait = 128,   ///< a thread began a wait with a time limit, other than a sleep
  kResultUnordered = 256,   ///< addresses or random numbers came by an order that no step tells
};

struct RunResult {
  uint64_t seed;
  uint64_t digest; ///< of sync operations and listed sites, symbolic addresses
  uint64_t steps;
  uint64_t events; ///< written to the ring
  Outcome outcome;
  int32_t exitStatus;
  uint32_t threads;
  uint32_t peakThreads; ///< alive at the same time: what the donor pool should hold
  uint32_t decisions;   ///< deviations from the default
  uint32_t newBehaviours;
  uint32_t flags;       ///< ResultFlags
  uint32_t choices;     ///< steps at which more than one thread could go on; at most 2^32 - 1
  uint64_t nanos;       ///< wall time of the run with its restore or fork
  uint32_t meetings;    ///< how often the target was triggered
  uint32_t orders;      ///< MeetingOrder bits: how meetings were resolved
  uint32_t reached;     ///< RoleMask: roles that some thread could have played
  uint32_t preemptions; ///< threads that could have gone on, but another one did
  uint32_t switches;    ///< how often another thread took over, for whatever reason
  uint32_t thrashings;  ///< threads that a directed strategy had to let go, because of nobody else
  uint64_t windowFirst; ///< the step at which the run's window began; 0: it has none
  uint64_t windowLength;
  uint64_t thinFirst; ///< as the plan has it, with the seed that was used
  uint64_t thinLength;
  uint64_t thinSeed;
  uint64_t thinSync;
};
static_assert(sizeof(RunResult) == 144);

enum class ThreadState : uint32_t { Runnable, Blocked, Finished };

enum class WaitKind : uint32_t {
  None,
  Mutex,
  RwLockRead,
  RwLockWrite,
  SpinLock,
  Condition,
  Barrier,
  Semaphore,
  Once,
  Guard,
  Futex,
  Join,
  Sleep,
  Io,
  Library, ///< a lock inside a library that is not instrumented
};

inline constexpr uint32_t kMaxFrames = 64;
inline constexpr uint32_t kMaxHeldLocks = 16;
inline constexpr uint32_t kMaxThreadDetails = 4096;
inline constexpr uint32_t kMessageBytes = 4096;

struct HeldLock {
  uint64_t object;
  uint32_t site;   ///< SiteId of the acquisition; with kPlanStacks in the program's own code
  uint32_t shared; ///< 1: for reading, others may hold it too
};

/// A thread at the end of a run. frames[0] is the outermost call site, SiteIds.
struct ThreadDetail {
  ThreadPath path;
  uint32_t parent;  ///< ThreadIndex of the creator
  uint32_t ordinal; ///< n-th child of its parent, from 1
  ThreadState state;
  WaitKind wait;
  uint64_t waitObject;
  uint32_t waitOwner; ///< ThreadIndex of the holder, or None
  uint32_t site;      ///< SiteId where it is
  uint32_t createSite;
  uint32_t frameCount;
  uint32_t createFrameCount;
  uint32_t heldCount;
  uint32_t frames[kMaxFrames];
  uint32_t createFrames[kMaxFrames];
  HeldLock held[kMaxHeldLocks];
  char name[16];
};

/// Details of the last run of a batch; complete after a failure, divergence or lost control.
struct RunDetail {
  FailureKind failure;
  int32_t signal;
  uint64_t address; ///< faulting or freed address
  uint32_t thread;
  uint32_t site;
  uint32_t accessSize;
  uint32_t threadCount; ///< entries in `threads`, at most kMaxThreadDetails
  uint64_t freeSite;    ///< memory error: SiteId of the (first) free and of the allocation
  uint64_t allocationSite;
  uint32_t freeThread;
  uint32_t allocationThread;
  char message[kMessageBytes];
  ThreadDetail threads[kMaxThreadDetails];
};

/// One thread at a meeting: about to execute the operation, which touches [address, address +
/// size).
struct MeetingSide {
  uint32_t thread;
  uint32_t role;
  uint32_t site;       ///< SiteId
  uint32_t occurrence; ///< which decision of the thread at that site
  uint32_t size;
  EventKind kind;
  uint8_t valueKnown;
  uint16_t heldCount;
  uint64_t address;
  uint64_t value; ///< what is there before any of them goes on, its first eight bytes
  uint32_t frameCount;
  uint32_t reserved;
  uint32_t frames[kMaxFrames];
  HeldLock held[kMaxHeldLocks];
};

/// The first time in a run that the target was triggered. Stacks are complete with kPlanStacks.
struct Meeting {
  uint64_t step;
  uint32_t sideCount; ///< 0: it did not
  uint32_t reserved;
  MeetingSide sides[kMaxRoles];
};

enum class BatchStop : uint32_t {
  None,
  AllRuns,
  Failure, ///< the last run failed, was cut, diverged or lost control
  Meeting, ///< the last run brought the target about
  WallTime,
  NewBehaviour, ///< reserved
  NeedExec,     ///< cannot go on in this process (donor pool too small, not restorable)
};

/// A region of the file: `offset` from its start.
struct Region {
  uint64_t offset;
  uint64_t bytes;
};

/// One site as dumped by the runtime, index = SiteId. Strings are in the string region.
struct DumpedSite {
  SiteRecord record;   ///< string offsets are relative to the string region
  uint32_t module;     ///< string offset: path of the executable or library
  uint32_t learned;    ///< LearnedFlags, after a batch with kPlanLearn
  uint64_t executions; ///< in the last run of a batch with kPlanLearn, or of a thinned site
};

enum LearnedFlags : uint32_t {
  kLearnedExecuted = 1,
  kLearnedShared = 2,  ///< touched memory that several threads use and at least one writes
  kLearnedForeign = 4, ///< said to be local, and touched memory that is not its thread's own
};

struct SiteRegionHeader {
  uint32_t siteCount; ///< ids are 1 .. siteCount; entry 0 is unused
  uint32_t stringBytes;
  uint32_t moduleCount;
  uint32_t complete;
};

/// Where the data of the trace ring begins in its region; its size is the largest power of two
/// that fits after it, and positions are taken modulo that size.
inline constexpr uint64_t kRingDataOffset = 4096;

/// Trace ring: single producer (runtime), single consumer (controller). Byte counters only grow.
/// The producer blocks on `tail` when the ring is full: nothing is ever dropped.
struct RingHeader {
  alignas(64) volatile uint64_t head; ///< written by the producer
  volatile uint32_t headFutex;        ///< bumped when data was added while the consumer waits
  alignas(64) volatile uint64_t tail; ///< written by the consumer
  volatile uint32_t tailFutex;        ///< bumped by the consumer when it freed space
  volatile uint32_t producerWaiting;
  volatile uint32_t consumerWaiting;
};

/// Behaviours seen in the batches of this process: hashes of (first site, second site) pairs of
/// conflicting accesses by different threads, in order. Open addressing, 0 is empty. The log has
/// the same hashes as they came, so that each run's share of them can be told.
inline constexpr uint32_t kBehaviourSlots = 1u << 20;

inline constexpr uint32_t kNotedFiles = 4;
inline constexpr uint32_t kNotePathBytes = 512;
/// Where the program finds the folder that is its TMPDIR.
inline constexpr int kTemporaryFd = 199;

/// What the program did in any run of this process that its user should hear of once.
struct ProgramNotes {
  volatile uint32_t endOfInput; ///< it read standard input to the end
  volatile uint32_t ownName;    ///< it bound a port or a path that only one process can have
  uint32_t reserved;
  volatile uint32_t fileCount;
  char files[kNotedFiles][kNotePathBytes]; ///< written outside its TMPDIR
};

struct BatchHeader {
  uint64_t magic;
  uint32_t version;
  uint32_t headerBytes;
  uint64_t totalBytes;
  volatile Phase phase; ///< futex
  volatile BatchStop stop;
  volatile uint32_t pid; ///< of the process that executes the current run
  volatile uint32_t serverPid;
  volatile uint64_t runsDone; ///< in this batch
  volatile uint64_t currentRun;
  volatile uint64_t currentSteps; ///< for the watchdog
  volatile uint64_t behaviours;   ///< number of entries in the behaviour table
  volatile uint32_t dumpRequest;  ///< watchdog: the runtime's signal handler fills `detail`
  uint32_t reserved;
  char startupError[kMessageBytes]; ///< not empty: the runtime refused to start, and why
  Plan plan;
  RunDetail detail;
  Meeting meeting; ///< of the last run
  ProgramNotes notes;
  Region listedSites; ///< uint64_t identities, sorted
  Region schedule;    ///< Decision: input of Replay
  Region decisions;   ///< Decision: output, the deviations of the last run
  Region results;     ///< RunResult, one per run of the batch
  Region behaviourTable;
  Region behaviourLog; ///< uint64_t, `behaviours` entries
  Region sites;        ///< SiteRegionHeader, DumpedSite[siteCount + 1], strings
  Region ring;         ///< RingHeader, then data
};

/// What a batch of StrategyKind::Prefix has in its schedule region: this header; `threads` paths of
/// threads (uint64_t), in the order in which they go first; `prefixes` + 1 offsets (uint32_t) into
/// the steps; the steps (PrefixStep). Run i follows prefix firstPrefix + i.
struct PrefixHeader {
  uint32_t threads;
  uint32_t prefixes;
  uint64_t firstSeed; ///< of the run that follows the first prefix
};
struct PrefixStep {
  uint16_t thread; ///< place in the list of threads
  uint16_t choice; ///< of a notification: which of the waiters, in the order of that list
};

/// Most runs in one batch.
inline constexpr uint64_t kMaxBatchRuns = 1u << 16;

/// The signal with which the watchdog asks a silent program where it is.
inline constexpr int kWatchdogSignal = 37;

} // namespace heddle
