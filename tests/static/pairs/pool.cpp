// Tasks of many kinds go through one queue: what each of them holds is its own.
// RACY: std::lock_guard<std::mutex> guard(mutex_); // bill => // unlocked
// RACY: tasks_.push_back(std::move(task)); => } { tasks_.push_back(std::move(task));
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Pool {
public:
  void start(int count) {
    for (int i = 0; i < count; ++i)
      threads_.emplace_back([this] { run(); });
  }
  void submit(std::function<void()> task) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
  }
  void finish() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_)
      thread.join();
  }

private:
  void run() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock<std::mutex> guard(mutex_);
        while (tasks_.empty() && !stopped_)
          changed_.wait(guard);
        if (tasks_.empty())
          return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  bool stopped_ = false;
};

class Ledger {
public:
  void bill(long amount) {
    std::lock_guard<std::mutex> guard(mutex_); // bill
    total_ += amount;
  }

private:
  std::mutex mutex_;
  long total_ = 0;
};

class Names {
public:
  void add(const std::string& name) {
    std::lock_guard<std::mutex> guard(mutex_);
    all_ += name;
  }

private:
  std::mutex mutex_;
  std::string all_;
};

int main() {
  Pool pool;
  Ledger ledger;
  Names names;
  pool.start(3);
  for (int i = 0; i < 10; ++i) {
    pool.submit([&ledger, i] { ledger.bill(i); });
    pool.submit([&names] { names.add("name"); });
  }
  pool.finish();
}
