#include "runtime/run/windows.h"

#include "runtime/base/arena.h"
#include "runtime/base/persistent.h"
#include "runtime/base/raw_syscall.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/run/batch_results.h"
#include "runtime/run/shared_contents.h"
#include "runtime/trace/behaviour.h"
#include "runtime/trace/site_modes.h"
#include "runtime/trace/thinning.h"
#include "runtime/unseen/unseen_spin.h"
#include "strategy/directed_strategy.h"

#include <fcntl.h>
#include <new>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::rt {

namespace {

/// Of so many windows of a pass one goes on to the end of the program: what a window has broken may
/// show only there. On average that is half of the program, so that all of them cost about as much
/// as the pass.
constexpr uint64_t kWindowsToTheEnd = 32;
/// All executions are points for so many times a window's length, counted in steps.
constexpr uint64_t kDenseWindows = 4;
/// A pass changes threads once in 2 to this power choices at least ...
constexpr uint64_t kShortestTurnBits = 3;
/// ... and where a thread cannot go on, in one of so many cases another one follows than the next.
constexpr uint64_t kOtherFollower = 8;

/// What the copy in which a window is explored must not change for the pass: it is not copied.
class SharedState {
public:
  /// False where that is not possible: then there is no window.
  bool keep(const Plan& plan) {
    if (!contents_.keep())
      return false;
    Persistent& state = persistent();
    result_ = state.result;
    memory_ = state.strategyMemory;
    input_ = rawSyscall(SYS_lseek, 0, 0, SEEK_CUR);
    captures_ = plan.flags & kPlanCapture;
    for (int i = 0; captures_ && i < 2; ++i)
      output_[i] = sizeOf(i + 1);
    return true;
  }

  void putBack() const {
    Persistent& state = persistent();
    state.result = result_;
    state.result.newBehaviours = 0; // they are the window's
    state.strategyMemory = memory_;
    if (input_ >= 0)
      rawSyscall(SYS_lseek, 0, input_, SEEK_SET);
    for (int i = 0; captures_ && i < 2; ++i)
      if (sizeOf(i + 1) != output_[i])
        rawSyscall(SYS_ftruncate, i + 1, output_[i]);
    contents_.putBack();
    ++state.behaviourRun;
  }

private:
  static long sizeOf(int descriptor) {
    struct stat status;
    return rawSyscall(SYS_fstat, descriptor, asLong(&status)) == 0 ? status.st_size : 0;
  }

  SharedContents contents_{kWindowCopyBase};
  RunResult result_;
  StrategyMemory memory_;
  long input_ = -1;
  long output_[2] = {};
  bool captures_ = false;
};

SharedState shared;

/// The lowest descriptor that is free: what is open is shared with the copy, files and pipes too.
long lowestFree() {
  long descriptor = rawSyscall(SYS_fcntl, 0, F_DUPFD_CLOEXEC, 0);
  if (descriptor >= 0)
    rawSyscall(SYS_close, descriptor);
  return descriptor;
}

class Windows final : public Strategy, public DirectedStrategy {
public:
  explicit Windows(Strategy* inner) : inner_(inner) {}

  StrategyTraits traits() const override {
    StrategyTraits traits = inner_->traits();
    traits.wantsAllChoices = false;
    return traits;
  }
  DirectedStrategy* directed() override { return inner_->directed() ? this : nullptr; }

  void beginBatch(const Plan& plan) override {
    plan_ = &plan;
    replays_ = inner_->traits().follows != Following::Nothing;
    inner_->beginBatch(plan);
  }

  void beginRun(uint64_t seed) override {
    choices_ = 0;
    firstStep_ = scheduler.steps;
    window_ = 0;
    phase_ = Phase::Before;
    if (thinning.first == 0)
      dimPoints();
    if (replays_) {
      persistent().result.windowFirst =
          plan_->windowFirst; // what a tolerant replay makes is a schedule, too
      persistent().result.windowLength = plan_->windowLength;
      inner_->beginRun(seed);
      return;
    }
    descriptors_ = lowestFree();
    random_.seed(seed);
    drawTurns();
    drawNextWindow();
  }

  ThreadIndex choose(const Choice& choice) override {
    choices_ += choice.enabled.count() > 1;
    if (phase_ == Phase::Before && hasArrived())
      arrive();
    if (phase_ == Phase::Inside && !replays_ && choices_ >= first_ + plan_->windowLength)
      leave();
    if (thinning.mostSyncBlocks != 0 && phase_ != Phase::Before && isBeyondWindow())
      resumeThinning();
    if (phase_ == Phase::After && choices_ >= end_)
      rt::endRun(Outcome::Explored, 0);
    if (decides())
      return inner_->choose(choice);
    return phase_ == Phase::Before ? passOn(choice) : choice.fallback;
  }

  uint32_t chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) override {
    return decides() ? inner_->chooseWaiter(choice, waiters, count) : 0;
  }
  bool chooseEarly(const Choice& choice, DecisionKind kind, ThreadView& waiter) override {
    return decides() && inner_->chooseEarly(choice, kind, waiter);
  }
  bool mayForceYield() override { return !decides() || inner_->mayForceYield(); }
  void threadCreated(ThreadView& thread) override {
    if (decides())
      inner_->threadCreated(thread);
  }
  void threadFinished(ThreadView& thread) override {
    if (decides())
      inner_->threadFinished(thread);
  }
  void executed(ThreadView& thread, const EnabledSet& enabled) override {
    if (decides())
      inner_->executed(thread, enabled);
  }
  void endRun(uint64_t steps) override {
    if (decides())
      inner_->endRun(steps);
  }
  bool expects(const ThreadView& thread, SiteIdentity site) const override {
    return decides() && inner_->expects(thread, site);
  }
  const char* divergence() override { return decides() ? inner_->divergence() : nullptr; }
  void arrived(ThreadView& thread) override {
    if (decides())
      inner_->directed()->arrived(thread);
  }
  void met(ThreadView* const* threads, uint32_t count) override {
    if (decides())
      inner_->directed()->met(threads, count);
  }

private:
  enum class Phase { Before, Inside, After };

  /// A replay counts steps: where threads were made to give way it has other choices.
  bool hasArrived() const {
    return replays_ ? stepsOfRun() >= plan_->windowFirst : choices_ >= first_;
  }
  /// Where a pass thins out sync operations, what comes after a window does so again: it has too
  /// many of them to go on to the end with a decision at each. A replay has to know by steps where
  /// that is.
  bool isBeyondWindow() const {
    const RunResult& result = persistent().result;
    return stepsOfRun() >= result.windowFirst + kDenseWindows * result.windowLength;
  }
  uint64_t stepsOfRun() const { return scheduler.steps - firstStep_; }
  bool decides() const { return replays_ || phase_ == Phase::Inside; }
  uint64_t windows() const { return plan_->runCount - 1; }
  uint64_t passChoices() const {
    return plan_->passChoices > windows() ? plan_->passChoices : windows();
  }

  /// How long the turns of threads are differs from pass to pass, over all orders of magnitude.
  void drawTurns() {
    uint64_t longest = kShortestTurnBits + 1;
    while (passChoices() >> (longest + 1) > 1)
      ++longest;
    turnBits_ = kShortestTurnBits + random_.below(longest - kShortestTurnBits + 1);
  }

  /// Windows lie at random in equal parts of the pass.
  void drawNextWindow() {
    if (window_ >= windows()) {
      first_ = ~0ull;
      return;
    }
    uint64_t share = passChoices() / windows();
    first_ = window_ * share + random_.below(share) + 1;
    if (first_ <= choices_)
      first_ = choices_ + 1;
  }

  /// The pass itself: mostly without preemption.
  ThreadIndex passOn(const Choice& choice) {
    uint64_t odds = choice.currentEnabled ? uint64_t{1} << turnBits_ : kOtherFollower;
    if (random_.below(odds) != 0)
      return choice.fallback;
    return choice.enabled.nth(static_cast<uint32_t>(random_.below(choice.enabled.count())));
  }

  void arrive() {
    if (replays_) {
      phase_ = Phase::Inside;
      allowAllPoints();
      return;
    }
    while (choices_ >= first_ && phase_ == Phase::Before)
      openWindow();
  }

  /// Of the plan's points some were there before the window, or none.
  static void allowAllPoints() {
    if (thinning.first == 0)
      lightPoints();
    endThinning();
  }

  void leave() {
    // The points stay as they are: a replay that has more of them would not know when to stop.
    phase_ = Phase::After;
    bool toTheEnd = random_.below(kWindowsToTheEnd) == 0;
    end_ = toTheEnd ? ~0ull : choices_ + plan_->windowLength;
  }

  void openWindow() {
    BatchHeader& batch = *persistent().batch;
    // Windows would take from each other what is read from a descriptor.
    if (lowestFree() != descriptors_ || !shared.keep(*plan_)) {
      first_ = ~0ull;
      return;
    }
    persistent().result.seed = plan_->firstSeed + window_;
    ++persistent().behaviourRun;
    long child = rawSyscall(SYS_clone, SIGCHLD);
    if (child == 0) {
      forgetSpinTimer();
      return enterWindow();
    }
    if (child > 0)
      awaitWindow(batch, child);
    shared.putBack();
    batch.pid = static_cast<uint32_t>(rawSyscall(SYS_getpid));
    ++window_;
    drawNextWindow();
  }

  void enterWindow() {
    RunResult& result = persistent().result;
    persistent().batch->pid = static_cast<uint32_t>(rawSyscall(SYS_getpid));
    phase_ = Phase::Inside;
    first_ = choices_;
    result.windowFirst = stepsOfRun();
    result.windowLength = plan_->windowLength;
    random_.seed(result.seed ^ 0x9e3779b97f4a7c15ull);
    allowAllPoints();
    inner_->beginRun(result.seed);
    for (uint32_t i = 0; i < scheduler.threads; ++i) {
      Fiber* fiber = scheduler.fibers[i];
      fiber->view.priority = 0;
      if (fiber->state != ThreadState::Finished)
        inner_->threadCreated(fiber->view);
    }
  }

  /// Waits for the window's end and keeps its result. One that ends the batch ends the pass.
  void awaitWindow(BatchHeader& batch, long child) {
    int status = 0;
    while (rawSyscall(SYS_wait4, child, asLong(&status), 0, 0) == -4) // EINTR
      ;
    RunResult& result = persistent().result;
    if (result.outcome == Outcome::NotRun) {
      result.outcome = Outcome::Died;
      batch.detail.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }
    collectBehaviours();
    if (!addWindow(result))
      leavePass();
  }

  Strategy* inner_;
  const Plan* plan_ = nullptr;
  Random random_;
  bool replays_ = false;
  Phase phase_ = Phase::Before;
  uint64_t choices_ = 0; ///< of the run
  uint64_t firstStep_ = 0;
  uint64_t first_ = 0; ///< the choice at which the next window begins, or the one that is open
  uint64_t end_ = 0;   ///< the choice at which a run with a window ends
  uint64_t window_ = 0;
  uint64_t turnBits_ = 0;
  long descriptors_ = 0;
};

alignas(Windows) unsigned char windowsMemory[sizeof(Windows)];

} // namespace

bool isPass(const Plan& plan) {
  return plan.windowLength != 0 && plan.isolation == Isolation::Fork &&
         plan.strategy != StrategyKind::Replay;
}

Strategy* strategyInWindows(Strategy* inner, const Plan& plan) {
  bool replays = plan.strategy == StrategyKind::Replay && plan.windowFirst != 0;
  if (!isPass(plan) && !replays)
    return inner;
  return new (windowsMemory) Windows(inner);
}

} // namespace heddle::rt
