// A million units of work on one object, locked one by one; two of them can mix.
#include <mutex>
#include <thread>

class Pair {
public:
  void set(int value) {
    setFirst(value);
    setSecond(value);
  }
  bool same() {
    std::lock_guard lock(mutex_);
    return first_ == second_;
  }

private:
  void setFirst(int value) {
    std::lock_guard lock(mutex_);
    first_ = value;
  }
  void setSecond(int value) {
    std::lock_guard lock(mutex_);
    second_ = value;
  }
  std::mutex mutex_;
  int first_ = 0;
  int second_ = 0;
};

int main(int argc, char**) {
  Pair pair;
  int units = argc > 1 ? 2 : 500000;
  std::thread writer([&] {
    for (int i = 0; i < units; ++i)
      pair.set(i);
  });
  std::thread reader([&] {
    for (int i = 0; i < units; ++i)
      (void)pair.same();
  });
  writer.join();
  reader.join();
}
