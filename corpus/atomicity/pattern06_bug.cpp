// Pattern 6: memory is left in an inconsistent state, because one unit writes both locations
// between the two writes of another. Moving a robot writes its coordinates in two critical sections;
// the return to base in between leaves it with one coordinate of each.
#include <cassert>
#include <mutex>
#include <thread>

class Robot {
public:
  void moveTo(int x, int y) {
    std::unique_lock<std::mutex> guard(mutex_);
    x_ = x; // VIOLATION: move/6 first
    guard.unlock();
    guard.lock();
    y_ = y; // VIOLATION: move/6 second
  }

  void returnToBase() {
    std::lock_guard<std::mutex> guard(mutex_);
    x_ = 0; // VIOLATION: move/6 intruder
    y_ = 0; // VIOLATION: move/6 intruder
  }

  bool isOnDiagonal() {
    std::lock_guard<std::mutex> guard(mutex_);
    return x_ == y_;
  }

private:
  std::mutex mutex_;
  int x_ = 0;
  int y_ = 0;
};

int main() {
  Robot robot;
  std::thread driver([&] { robot.moveTo(7, 7); });
  std::thread battery([&] { robot.returnToBase(); });
  driver.join();
  battery.join();
  assert(robot.isOnDiagonal()); // EXPECT: assertion
}
