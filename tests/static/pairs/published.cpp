// Objects belong to their maker until they are published, and to the last owner at their end.
// RACY: queue.jobs.push_back(job); => queue.jobs.push_back(job); job->number = 7;
// RACY: auto job = => static auto job =
// RACY: // early => { std::lock_guard<std::mutex> guard(queue.mutex); queue.jobs.push_back(job); }
// RACY: ~Job() = default; => ~Job() { ++destroyed; }
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

static int destroyed;

struct Job {
  ~Job() = default;
  int number = 0;
  std::vector<int> steps;
};

struct Queue {
  std::mutex mutex;
  std::vector<std::shared_ptr<Job>> jobs;
};

static void produce(Queue& queue) {
  for (int i = 0; i < 3; ++i) {
    auto job = std::make_shared<Job>();
    // early
    job->number = i;
    job->steps.push_back(i);
    std::lock_guard<std::mutex> guard(queue.mutex);
    queue.jobs.push_back(job);
  }
}

static int consume(Queue& queue) {
  std::shared_ptr<Job> job;
  {
    std::lock_guard<std::mutex> guard(queue.mutex);
    if (queue.jobs.empty())
      return 0;
    job = queue.jobs.back();
    queue.jobs.pop_back();
  }
  return ++job->number;
}

int main() {
  Queue queue;
  std::thread producer([&] { produce(queue); });
  std::thread consumer([&] { consume(queue); });
  producer.join();
  consumer.join();
  return 0;
}
