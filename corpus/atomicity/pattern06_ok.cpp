// Pattern 6: memory is left in an inconsistent state, because one unit writes both locations
// between the two writes of another. Moving a robot writes its coordinates in one critical section,
// so that the return to base is before it or after it.
#include <cassert>
#include <mutex>
#include <thread>

class Robot {
public:
  void moveTo(int x, int y) {
    std::unique_lock<std::mutex> guard(mutex_);
    x_ = x; // NOVIOLATION
    y_ = y; // NOVIOLATION
  }

  void returnToBase() {
    std::lock_guard<std::mutex> guard(mutex_);
    x_ = 0; // NOVIOLATION
    y_ = 0; // NOVIOLATION
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
  assert(robot.isOnDiagonal());
}
