#pragma once

#include "control/session.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace heddle {

/// Several programs at the same time: each worker is a thread of the controller with a session of
/// its own, which lives as long as the workers do. Jobs are started in order of their index;
/// callers merge results in that order, so that the number of workers does not show in them.
class Workers {
public:
  /// Called in a worker's thread; the session is only used by this job until it returns.
  using Job = std::function<void(size_t index, Session& session)>;

  Workers(std::shared_ptr<const Program> program, const SessionOptions& options, unsigned count);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();

  /// Runs job(0) ... job(count - 1) and waits for all of them. The error is the first worker's
  /// that could not create its session.
  Status run(size_t count, const Job& job);

  /// Calls `visit` for each session that exists. Only between runs.
  void visitSessions(const std::function<void(Session&)>& visit);

private:
  void work(size_t worker);

  std::shared_ptr<const Program> program_;
  SessionOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const Job* job_ = nullptr; ///< null: nothing to do
  size_t next_ = 0;
  size_t count_ = 0;
  size_t busy_ = 0;
  bool quit_ = false;
  std::optional<Error> error_;
  std::vector<std::optional<Session>> sessions_;
  std::vector<std::thread> threads_;
};

} // namespace heddle
