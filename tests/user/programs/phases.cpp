/// Correct: a function writes members, starts threads that change them, waits for their ends and
/// reads the members; each thread works in two phases with a barrier in between. No unit is
/// disturbed.
#include <barrier>
#include <cassert>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

class Simulation {
public:
  int run() {
    sum_ = 0;
    steps_ = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([this, i] { work(i); });
    for (std::thread& thread : threads)
      thread.join();
    return sum_ + steps_;
  }
  int runTask() {
    sum_ = 0;
    std::future<void> task = std::async(std::launch::async, [this] { add(5); });
    task.get();
    return sum_;
  }

private:
  void work(int i) {
    cells_[i] = i + 1;
    phase_.arrive_and_wait();
    add(cells_[1 - i]);
  }
  void add(int amount) {
    std::lock_guard guard(mutex_);
    sum_ += amount;
    ++steps_;
  }
  std::mutex mutex_;
  std::barrier<> phase_{2};
  int cells_[2] = {};
  int sum_ = 0, steps_ = 0;
};

int main() {
  Simulation simulation;
  int sum = simulation.run();
  int task = simulation.runTask();
  assert(sum == 5 && task == 5);
}
