// The kernel of a web crawler, after hedc: a pool of workers takes tasks from a queue, and a search
// that has seen enough cancels some of them. A worker looks whether its task still has a result and
// then writes into it, but cancel deletes the result without asking: the worker writes into freed
// memory or through a null pointer.
#include <array>
#include <cstddef>
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
  Task(const Task &) = delete;
  Task &operator=(const Task &) = delete;
  ~Task() { delete result_; }

  void run(Network &network) {
    for (int page = 0; page < 2; ++page) {
      if (!result_) // RACE: look-null
        return;
      int links = network.fetch(site_, page);
      result_->links += links; // EXPECT: crash // EXPECT: memory-error // RACE: use-free, use-null
    }
  }

  void cancel() {
    delete result_;    // RACE: use-free
    result_ = nullptr; // RACE: look-null, use-null
  }

private:
  const char *site_;
  Result *result_;
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
