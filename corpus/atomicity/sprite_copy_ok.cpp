// A sprite is copied while it is moved. It has virtual functions, and its copy constructor reads
// the members of the other sprite itself, in one critical section.
#include <cassert>
#include <mutex>
#include <thread>

class Drawable {
public:
  virtual ~Drawable() = default;
  virtual int area() const = 0;
};

class Sprite : public Drawable {
public:
  Sprite() = default;
  Sprite(const Sprite& other) {
    std::unique_lock<std::mutex> lock(other.mutex_);
    x_ = other.x_; // NOVIOLATION
    y_ = other.y_; // NOVIOLATION
  }

  int area() const override { return 64; }

  void moveTo(int place) {
    std::lock_guard<std::mutex> guard(mutex_);
    x_ = place; // NOVIOLATION
    y_ = place; // NOVIOLATION
  }

  bool isOnDiagonal() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return x_ == y_;
  }

private:
  mutable std::mutex mutex_;
  int x_ = 0;
  int y_ = 0;
};

int main() {
  Sprite sprite;
  std::thread copier([&] {
    Sprite copy(sprite);
    assert(copy.isOnDiagonal() && copy.area() == 64);
  });
  std::thread mover([&] { sprite.moveTo(7); });
  copier.join();
  mover.join();
}
