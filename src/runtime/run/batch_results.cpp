#include "runtime/run/batch_results.h"

#include "runtime/base/persistent.h"
#include "runtime/base/process_end.h"
#include "runtime/base/real_time.h"

namespace heddle::rt {

void keepResult(BatchHeader& batch, const RunResult& result) {
  auto* results =
      reinterpret_cast<RunResult*>(reinterpret_cast<char*>(&batch) + batch.results.offset);
  results[batch.runsDone] = result;
  batch.runsDone = batch.runsDone + 1;
}

bool endsBatch(const RunResult& result, const Plan& plan) {
  if ((plan.flags & kPlanExplore) && result.outcome != Outcome::LostControl &&
      result.outcome != Outcome::Died && result.outcome != Outcome::NotRun)
    return false;
  if (result.outcome == Outcome::Finished)
    return result.exitStatus != plan.expectedExit;
  return result.outcome != Outcome::Idle && result.outcome != Outcome::Explored;
}

bool isOutOfTime(const Plan& plan) {
  return plan.wallNanos && realNanos() - persistent().batchStartNanos > plan.wallNanos;
}

bool addWindow(const RunResult& result) {
  BatchHeader& batch = *persistent().batch;
  keepResult(batch, result);
  return !endsBatch(result, batch.plan) && !isOutOfTime(batch.plan) &&
         batch.runsDone < kMaxBatchRuns;
}

void leavePass() {
  persistent().passLeft = true;
  leaveProcess(0);
}

} // namespace heddle::rt
