// Pattern 9: the state that is observed is inconsistent, because both locations are written between
// the two reads. A ship's position is read in one critical section, so that a new fix is before
// both reads or after both.
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
    position.latitude = latitude_; // NOVIOLATION
    position.longitude = longitude_; // NOVIOLATION
    return position;
  }

  void setFix(int latitude, int longitude) {
    std::lock_guard<std::mutex> guard(mutex_);
    latitude_ = latitude; // NOVIOLATION
    longitude_ = longitude; // NOVIOLATION
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
    assert(position.latitude - position.longitude == 40);
  });
  std::thread receiver([&] { ship.setFix(52, 12); });
  chart.join();
  receiver.join();
}
