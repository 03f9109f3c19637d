// Producer and consumer: jobs pass through a bounded queue with two condition variables, and each
// job costs a little work.
#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace {

/// What the forced runs of the bench aim at; each thread has an element of its own.
long progress[8];

struct Job {
  unsigned number = 0;
  std::array<unsigned, 16> payload{};
};

class JobQueue {
public:
  void push(const Job& job) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return jobs_.size() < kCapacity; });
    jobs_.push_back(job);
    filled_.notify_one();
  }
  bool pop(Job& job) {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return !jobs_.empty() || closed_; });
    if (jobs_.empty())
      return false;
    job = jobs_.front();
    jobs_.pop_front();
    room_.notify_one();
    return true;
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    filled_.notify_all();
  }

private:
  static constexpr size_t kCapacity = 64;
  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable filled_;
  std::deque<Job> jobs_;
  bool closed_ = false;
};

unsigned digest(const Job& job) {
  unsigned hash = job.number;
  for (int round = 0; round < 20; ++round)
    for (unsigned word : job.payload)
      hash = (hash ^ word) * 16777619u;
  return hash;
}

} // namespace

int main(int argc, char** argv) {
  unsigned jobs = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1000000;
  JobQueue queue;
  std::vector<unsigned> sums(2);
  std::vector<std::thread> consumers;
  for (unsigned id = 0; id < sums.size(); ++id)
    consumers.emplace_back([&, id] {
      Job job;
      unsigned sum = 0;
      while (queue.pop(job))
        sum += digest(job);
      sums[id] = sum;
    });
  for (unsigned i = 0; i < jobs; ++i) {
    Job job{i, {}};
    for (size_t k = 0; k < job.payload.size(); ++k)
      job.payload[k] = i * 31 + static_cast<unsigned>(k);
    queue.push(job);
    if (i % 64 == 0)
      progress[0] = i;
  }
  queue.close();
  for (std::thread& consumer : consumers)
    consumer.join();
  std::printf("%u\n", sums[0] + sums[1]);
}
