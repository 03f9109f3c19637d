#pragma once

#include "control/session.h"
#include "run_decoder.h"
#include "search.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace heddle::explore {

/// Runs that are executed in one go: what was asked for, and what came of it.
struct Batch {
  std::vector<Task> tasks;
  PlanRequest plan;
  size_t knownThreads = 0; ///< when it was put together
  // What came of it
  Status status = Success{};
  std::vector<RunResult> results;
  std::vector<TraceEvent> events;
  std::shared_ptr<const SiteCatalog> sites; ///< of the process that made the runs
};

/// Executes batches in one session, one after the other. Used by one thread only.
class BatchExecutor {
public:
  explicit BatchExecutor(Session& session) : session_(session) {}
  void execute(Batch& batch);

private:
  Status executeOnce(Batch& batch, bool& isWhole);
  Status executeAll(Batch& batch);

  Session& session_;
  std::shared_ptr<const SiteCatalog> sites_;
  pid_t sitesOf_ = -1; ///< the process that they belong to
};

using SessionFactory = std::function<Result<Session>()>;

/// Executes batches by several processes at once, each with a thread of its own that waits for it.
/// Batches come back in the order in which they were given. Used by one thread only.
class BatchWorkers {
public:
  BatchWorkers(size_t workers, SessionFactory factory);
  ~BatchWorkers(); ///< waits for what is on its way

  void give(std::unique_ptr<Batch> batch);
  /// The one that was given first; waits for it.
  std::unique_ptr<Batch> take();
  /// Batches that were given and not taken.
  size_t onTheirWay() const { return order_.size(); }
  /// So many keep all workers busy while one is taken in.
  size_t wanted() const { return threads_.size() + 1; }

private:
  struct Job {
    std::unique_ptr<Batch> batch;
    bool isDone = false;
  };
  void work(const SessionFactory& factory);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Job>> waiting_;
  std::deque<std::shared_ptr<Job>> order_;
  bool isEnding_ = false;
  std::vector<std::thread> threads_;
};

} // namespace heddle::explore
