// A queue of jobs with an iterator that two workers share, each method locked. A worker asks
// whether there is a next job and then takes it. Both can be told that there is one when it is the
// last.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

class Jobs {
public:
  bool hasNext() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return index_ < count; // VIOLATION: next/2 first
  }

  int next() {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    int index = index_; // VIOLATION: next/2 second
    if (index == count)
      throw std::out_of_range("no more jobs"); // EXPECT: exception
    index_ = index + 1; // VIOLATION: next/2 intruder
    return index;
  }

private:
  static constexpr int count = 3;
  mutable std::recursive_mutex mutex_;
  int index_ = 0;
};

static int takeOne(Jobs &jobs) {
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
