// Who reads what another thread has written by half fails at once: behind the lock, or (INSIDE)
// while it still holds the lock that the other one needs to go on.
#include <cstdlib>
#include <mutex>
#include <thread>

class Rectangle {
public:
  void moveTo(int left) {
    {
      std::lock_guard lock(mutex_);
      left_ = left; // FIRST
    }
    std::lock_guard lock(mutex_);
    right_ = left + 10; // SECOND
  }

  int width() const {
    std::lock_guard lock(mutex_);
    int width = -left_; // READ LEFT
    width += right_;    // READ RIGHT
#ifdef INSIDE
    if (width != 10)
      std::abort();
#endif
    return width;
  }

private:
  mutable std::mutex mutex_;
  int left_ = 0;
  int right_ = 10;
};

int main() {
  Rectangle rectangle;
  std::thread mover([&] { rectangle.moveTo(5); });
  std::thread reader([&] {
    if (rectangle.width() != 10)
      std::abort();
  });
  mover.join();
  reader.join();
}
