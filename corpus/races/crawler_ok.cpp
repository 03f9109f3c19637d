// The kernel of a web crawler, after hedc: a pool of workers takes tasks from a queue, and a search
// that has seen enough cancels some of them. Every task has a mutex: a worker looks for the result
// and writes into it in one critical section, and cancel deletes it in another.
#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>

struct Result {
  const char *site;
  long pages;
  int links;
};

class Network {
public:
  int fetch(const char *site, int page) {
    std::lock_guard<std::mutex> guard(mutex_);
    ++requests_;
    return site[0] % 7 + page;
  }

private:
  std::mutex mutex_;
  int requests_ = 0;
};

class Task {
public:
  explicit Task(const char *site) : site_(site), result_(new Result{site, 0, 0}) {}

  void run(Network &network) {
    for (int page = 0; page < 2; ++page)
      if (!store(network.fetch(site_, page)))
        return;
  }

  void cancel() {
    std::lock_guard<std::mutex> guard(mutex_);
    result_.reset();
  }

private:
  bool store(int links) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (!result_)
      return false;
    result_->links += links;
    return true;
  }

  const char *site_;
  std::mutex mutex_;
  std::unique_ptr<Result> result_;
};

class Crawl {
public:
  void work() {
    while (Task *task = take())
      task->run(network_);
  }

  void cancelAllBut(std::size_t wanted) {
    for (std::size_t i = 0; i < tasks_.size(); ++i)
      if (i != wanted)
        tasks_[i].cancel();
  }

private:
  Task *take() {
    std::lock_guard<std::mutex> guard(mutex_);
    return next_ < tasks_.size() ? &tasks_[next_++] : nullptr;
  }

  std::mutex mutex_;
  std::size_t next_ = 0;
  std::array<Task, 4> tasks_{Task("astronomy"), Task("botany"), Task("chemistry"), Task("dance")};
  Network network_;
};

int main() {
  Crawl crawl;
  std::thread first([&] { crawl.work(); });
  std::thread second([&] { crawl.work(); });
  std::thread third([&] { crawl.work(); });
  std::thread search([&] { crawl.cancelAllBut(2); });
  first.join();
  second.join();
  third.join();
  search.join();
}
