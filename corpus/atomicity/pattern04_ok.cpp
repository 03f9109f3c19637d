// Pattern 4: a value that is read is not the one that the unit wrote. A thermostat sets its target
// and reads it in the same critical section to acknowledge it.
#include <cassert>
#include <mutex>
#include <thread>

class Thermostat {
public:
  int setAndAcknowledge(int target) {
    std::unique_lock<std::mutex> guard(mutex_);
    target_ = target; // NOVIOLATION
    return target_; // NOVIOLATION
  }

  void turn(int target) {
    std::lock_guard<std::mutex> guard(mutex_);
    target_ = target; // NOVIOLATION
  }

private:
  std::mutex mutex_;
  int target_ = 18;
};

int main() {
  Thermostat thermostat;
  std::thread remote([&] {
    int acknowledged = thermostat.setAndAcknowledge(21);
    assert(acknowledged == 21);
  });
  std::thread wheel([&] { thermostat.turn(16); });
  remote.join();
  wheel.join();
}
