// Pattern 4: a value that is read is not the one that the unit wrote. A thermostat sets its target
// and then reads it, in another critical section, to acknowledge it; another hand has turned it.
#include <cassert>
#include <mutex>
#include <thread>

class Thermostat {
public:
  int setAndAcknowledge(int target) {
    std::unique_lock<std::mutex> guard(mutex_);
    target_ = target; // VIOLATION: turn/4 first
    guard.unlock();
    guard.lock();
    return target_; // VIOLATION: turn/4 second
  }

  void turn(int target) {
    std::lock_guard<std::mutex> guard(mutex_);
    target_ = target; // VIOLATION: turn/4 intruder
  }

private:
  std::mutex mutex_;
  int target_ = 18;
};

int main() {
  Thermostat thermostat;
  std::thread remote([&] {
    int acknowledged = thermostat.setAndAcknowledge(21);
    assert(acknowledged == 21); // EXPECT: assertion
  });
  std::thread wheel([&] { thermostat.turn(16); });
  remote.join();
  wheel.join();
}
