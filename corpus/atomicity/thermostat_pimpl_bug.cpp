// A thermostat hides its members behind a pointer. Every access is locked,
// but the two limits are set in two critical sections: who asks in between gets a wrong range.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

class Thermostat {
public:
  Thermostat();
  ~Thermostat();
  void setLimits(int low, int high);
  int range() const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct Thermostat::Parts {
  std::recursive_mutex mutex;
  int low = 15;
  int high = 20;
};

Thermostat::Thermostat() : parts_(new Parts) {}
Thermostat::~Thermostat() = default;

void Thermostat::setLimits(int low, int high) {
  std::unique_lock<std::recursive_mutex> lock(parts_->mutex);
  parts_->low = low; // VIOLATION: limits/8 first
  lock.unlock();
  lock.lock();
  parts_->high = high; // VIOLATION: limits/8 second
}

int Thermostat::range() const {
  std::lock_guard<std::recursive_mutex> guard(parts_->mutex);
  int high = parts_->high;   // VIOLATION: limits/8 intruder
  return high - parts_->low; // VIOLATION: limits/8 intruder
}

int main() {
  Thermostat thermostat;
  int range = 0;
  std::thread control([&] { thermostat.setLimits(19, 24); });
  std::thread display([&] { range = thermostat.range(); });
  control.join();
  display.join();
  assert(range == 5); // EXPECT: assertion
}
