// A ray tracer that renders two images at once, after the raytracer of the Java Grande Forum. Two
// workers for each image fetch the rows under a lock, but add the brightness of a row to the
// checksum of the image without it, so that an addition can be lost.
#include <cassert>
#include <mutex>
#include <thread>

class Image {
public:
  Image(int width, int height, int light) : width_(width), height_(height), light_(light) {}

  bool renderNextRow() {
    int row = takeRow();
    if (row < 0)
      return false;
    checksum_ += brightness(row); // RACE: sum-sum
    return true;
  }

  long expectedChecksum() const {
    long sum = 0;
    for (int row = 0; row < height_; ++row)
      sum += brightness(row);
    return sum;
  }

  long checksum() const { return checksum_; }

private:
  int takeRow() {
    std::lock_guard<std::mutex> guard(mutex_);
    return nextRow_ < height_ ? nextRow_++ : -1;
  }

  long brightness(int row) const {
    long sum = 0;
    for (int column = 0; column < width_; ++column) {
      int dx = 2 * column - width_;
      int dy = 2 * row - height_;
      sum += light_ / (1 + dx * dx + dy * dy);
    }
    return sum;
  }

  const int width_;
  const int height_;
  const int light_;
  std::mutex mutex_;
  int nextRow_ = 0;
  long checksum_ = 0;
};

static void render(Image &image) {
  while (image.renderNextRow()) {
  }
}

int main() {
  Image spheres(8, 4, 5000);
  Image shadows(6, 4, 900);
  std::thread spheresLeft([&] { render(spheres); });
  std::thread spheresRight([&] { render(spheres); });
  std::thread shadowsLeft([&] { render(shadows); });
  std::thread shadowsRight([&] { render(shadows); });
  spheresLeft.join();
  spheresRight.join();
  shadowsLeft.join();
  shadowsRight.join();
  assert(spheres.checksum() == spheres.expectedChecksum()); // EXPECT: assertion
  assert(shadows.checksum() == shadows.expectedChecksum()); // EXPECT: assertion
}
