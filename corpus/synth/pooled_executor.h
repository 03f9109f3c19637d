#pragma once
// In the manner of PooledExecutorWithInvalidate of hedc: a pool's bookkeeping locks, and asking
// whether a task was invalidated does not. Tasks run in the thread that calls.
#include <deque>
#include <memory>
#include <mutex>

class Task {
public:
  explicit Task(int work) : work_(work), done_(0), invalid_(false) {}
  void run() { done_ += invalid_ ? 0 : work_; }
  void invalidate() { invalid_ = true; }
  bool isInvalid() const { return invalid_; }
  int done() const { return done_; }

private:
  int work_;
  int done_;
  bool invalid_;
};

class PooledExecutor {
public:
  explicit PooledExecutor(int maximumPoolSize)
      : maximumPoolSize_(maximumPoolSize), poolSize_(0), shutdown_(false), executed_(0) {}
  void execute(std::shared_ptr<Task> task) {
    {
      Guard guard(lock_);
      if (shutdown_)
        return;
      current_ = std::move(task);
      ++poolSize_;
    }
    current_->run();
    Guard guard(lock_);
    --poolSize_;
    ++executed_;
  }
  void invalidateAll() {
    Guard guard(lock_);
    if (current_)
      current_->invalidate();
  }
  bool isCurrentInvalid() const { return current_ && current_->isInvalid(); }
  int getPoolSize() const {
    Guard guard(lock_);
    return poolSize_;
  }
  int getMaximumPoolSize() const {
    Guard guard(lock_);
    return maximumPoolSize_;
  }
  void setMaximumPoolSize(int size) {
    Guard guard(lock_);
    maximumPoolSize_ = size;
  }
  void shutdown() {
    Guard guard(lock_);
    shutdown_ = true;
  }
  int executed() const {
    Guard guard(lock_);
    return executed_;
  }

private:
  using Guard = std::lock_guard<std::recursive_mutex>;
  mutable std::recursive_mutex lock_;
  int maximumPoolSize_;
  int poolSize_;
  bool shutdown_;
  int executed_;
  std::shared_ptr<Task> current_;
};
