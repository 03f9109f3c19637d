// A plate is engraved once, with the name of who comes first, and everybody reads the same. read
// looks, engraves and reads in one critical section.
#include <cassert>
#include <mutex>
#include <thread>

class Plate {
public:
  int read(int name) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (!isEngraved())
      engrave(name);
    return text_; // NOVIOLATION
  }

private:
  bool isEngraved() const {
    return engraved_; // NOVIOLATION
  }

  void engrave(int name) {
    text_ = name; // NOVIOLATION
    engraved_ = true; // NOVIOLATION
  }

  std::mutex mutex_;
  bool engraved_ = false;
  int text_ = 0;
};

int main() {
  Plate plate;
  int texts[2] = {};
  std::thread one([&] { texts[0] = plate.read(1); });
  std::thread two([&] { texts[1] = plate.read(2); });
  one.join();
  two.join();
  assert(texts[0] == texts[1]);
}
