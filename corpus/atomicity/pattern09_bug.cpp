// Pattern 9: the state that is observed is inconsistent, because both locations are written between
// the two reads. A ship's position is read in two critical sections; a new fix in between gives the
// latitude of one place and the longitude of another.
#include <cassert>
#include <mutex>
#include <thread>

struct Position {
  int latitude;
  int longitude;
};

class Ship {
public:
  Position position() {
    Position position;
    std::unique_lock<std::mutex> guard(mutex_);
    position.latitude = latitude_; // VIOLATION: fix/9 first
    guard.unlock();
    guard.lock();
    position.longitude = longitude_; // VIOLATION: fix/9 second
    return position;
  }

  void setFix(int latitude, int longitude) {
    std::lock_guard<std::mutex> guard(mutex_);
    latitude_ = latitude; // VIOLATION: fix/9 intruder
    longitude_ = longitude; // VIOLATION: fix/9 intruder
  }

private:
  std::mutex mutex_;
  int latitude_ = 50;
  int longitude_ = 10;
};

int main() {
  Ship ship;
  std::thread chart([&] {
    Position position = ship.position();
    assert(position.latitude - position.longitude == 40); // EXPECT: assertion
  });
  std::thread receiver([&] { ship.setFix(52, 12); });
  chart.join();
  receiver.join();
}
