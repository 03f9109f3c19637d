// A plate is engraved once, with the name of who comes first, and everybody reads the same. read looks
// whether the plate is engraved, engraves it in a second critical section, and reads it in a third
// one. If two find it empty, the second engraves it again, after the first has read it.
#include <cassert>
#include <mutex>
#include <thread>

class Plate {
public:
  int read(int name) {
    if (!isEngraved())
      engrave(name);
    return text();
  }

private:
  bool isEngraved() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return engraved_; // VIOLATION: twice/1,9 first
  }

  void engrave(int name) {
    std::lock_guard<std::mutex> guard(mutex_);
    text_ = name; // VIOLATION: twice/1,9 intruder // BENIGN: other/4 first // BENIGN: other/4 intruder
    engraved_ = true; // VIOLATION: twice/1,9 second // VIOLATION: twice/1,9 intruder
  }

  int text() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return text_; // VIOLATION: twice/1,9 second // BENIGN: other/4 second
  }

  mutable std::mutex mutex_;
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
  assert(texts[0] == texts[1]); // EXPECT: assertion
}
