// A work-stealing deque: the owner pops at the bottom, a thief steals at the top. For the last task
// the owner must compete with the thief for the top, but here it simply takes it, so both can
// execute the same task.
#include <atomic>
#include <cassert>
#include <thread>

class WorkDeque {
public:
  static constexpr int none = -1;
  static constexpr int size = 3;

  int pop() {
    int bottom = bottom_.load() - 1;
    bottom_.store(bottom);
    int top = top_.load();
    if (top > bottom) {
      bottom_.store(bottom + 1);
      return none;
    }
    return tasks_[bottom];
  }

  int steal() {
    int top = top_.load();
    int bottom = bottom_.load();
    if (top >= bottom)
      return none;
    int task = tasks_[top];
    return top_.compare_exchange_strong(top, top + 1) ? task : none;
  }

private:
  const int tasks_[size] = {0, 1, 2};
  std::atomic<int> top_{0};
  std::atomic<int> bottom_{size};
};

static std::atomic<int> executions[WorkDeque::size];

static void execute(int task) {
  int before = executions[task].fetch_add(1);
  assert(before == 0); // EXPECT: assertion
}

int main() {
  WorkDeque deque;
  std::thread owner([&] {
    for (int task = deque.pop(); task != WorkDeque::none; task = deque.pop())
      execute(task);
  });
  std::thread thief([&] {
    int task = deque.steal();
    if (task != WorkDeque::none)
      execute(task);
  });
  owner.join();
  thief.join();
  for (std::atomic<int> &count : executions)
    assert(count.load() == 1);
}
