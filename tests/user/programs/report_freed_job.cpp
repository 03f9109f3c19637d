// The job is deleted when its counter says so, which is before the last worker has used it.
#include <atomic>
#include <thread>
#include <vector>

struct Job {
  std::vector<int> results = std::vector<int>(2);
  std::atomic<int> left{2};
};

void work(Job* job, int index) {
  job->left.fetch_sub(1);
  job->results[index] = 1;
}

int main() {
  Job* job = new Job;
  std::thread first(work, job, 0);
  std::thread second(work, job, 1);
  while (job->left.load() != 0)
    std::this_thread::yield();
  delete job;
  first.join();
  second.join();
}
