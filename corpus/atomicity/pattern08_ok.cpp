// Pattern 8: the state that is observed is inconsistent, because both locations are read between
// the two writes. Swapping two shifts writes them in one critical section, so that nobody looks at
// the plan in between.
#include <cassert>
#include <mutex>
#include <thread>

class Plan {
public:
  void assign(int early, int late) {
    std::unique_lock<std::mutex> guard(mutex_);
    early_ = early; // NOVIOLATION
    late_ = late; // NOVIOLATION
  }

  bool isValid() {
    std::lock_guard<std::mutex> guard(mutex_);
    int early = early_; // NOVIOLATION
    int late = late_; // NOVIOLATION
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
  assert(valid);
}
