// Pattern 8: the state that is observed is inconsistent, because both locations are read between
// the two writes. Swapping two shifts writes them in two critical sections; who looks at the plan
// in between finds one person in both shifts.
#include <cassert>
#include <mutex>
#include <thread>

class Plan {
public:
  void assign(int early, int late) {
    std::unique_lock<std::mutex> guard(mutex_);
    early_ = early; // VIOLATION: assign/8 first
    guard.unlock();
    guard.lock();
    late_ = late; // VIOLATION: assign/8 second
  }

  bool isValid() {
    std::lock_guard<std::mutex> guard(mutex_);
    int early = early_; // VIOLATION: assign/8 intruder
    int late = late_; // VIOLATION: assign/8 intruder
    return early != late;
  }

private:
  std::mutex mutex_;
  int early_ = 1;
  int late_ = 2;
};

int main() {
  Plan plan;
  bool valid = false;
  std::thread manager([&] { plan.assign(2, 1); });
  std::thread board([&] { valid = plan.isValid(); });
  manager.join();
  board.join();
  assert(valid); // EXPECT: assertion
}
