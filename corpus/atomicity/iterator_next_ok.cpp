// A queue of jobs with an iterator that two workers share, each method locked. A worker asks
// whether there is a next job and takes it in one critical section.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

class Jobs {
public:
  bool hasNext() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return index_ < count; // NOVIOLATION
  }

  int next() {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    int index = index_; // NOVIOLATION
    if (index == count)
      throw std::out_of_range("no more jobs");
    index_ = index + 1; // NOVIOLATION
    return index;
  }

  std::recursive_mutex &mutex() const { return mutex_; }

private:
  static constexpr int count = 3;
  mutable std::recursive_mutex mutex_;
  int index_ = 0;
};

static int takeOne(Jobs &jobs) {
  std::lock_guard<std::recursive_mutex> guard(jobs.mutex());
  if (!jobs.hasNext())
    return -1;
  return jobs.next();
}

int main() {
  Jobs jobs;
  takeOne(jobs);
  takeOne(jobs);
  int taken[2];
  std::thread first([&] { taken[0] = takeOne(jobs); });
  std::thread second([&] { taken[1] = takeOne(jobs); });
  first.join();
  second.join();
  assert(taken[0] + taken[1] == 2 - 1);
}
