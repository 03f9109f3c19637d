// A filter that gives each thread a band of rows of an image. The histogram is taken after the last
// thread was started, not after all were joined.
#include <thread>
#include <vector>

class Image {
public:
  Image(int width, int height) : width_(width), height_(height), pixels_(width * height, 7) {}

  void invertRows(int first, int last) {
    for (int row = first; row < last; ++row)
      for (int column = 0; column < width_; ++column) { // NORACE
        int &pixel = pixels_[row * width_ + column];    // NORACE
        pixel = 255 - pixel;                            // RACE!
      }
  }

  int brightPixels() const {
    int count = 0;
    for (int pixel : pixels_) // RACE!
      count += pixel > 128 ? 1 : 0;
    return count;
  }

  int height() const { return height_; } // NORACE

private:
  const int width_;
  const int height_;
  std::vector<int> pixels_;
};

static int invert(Image &image, int bands) {
  std::vector<std::thread> threads;
  int rows = image.height() / bands;
  for (int band = 0; band < bands; ++band)
    threads.emplace_back(
        [&image, rows, band] { image.invertRows(rows * band, rows * (band + 1)); });
  int bright = image.brightPixels();
  for (std::thread &thread : threads)
    thread.join();
  return bright;
}

int main() {
  Image image(8, 9);
  return invert(image, 3) <= 72 ? 0 : 1;
}
