// Fonts with glyphs that are measured when they are first needed. A font is shared by the threads,
// and its const method fills the cache inside it without a lock.
#include <array>
#include <memory>
#include <mutex>
#include <thread>

class Font {
public:
  explicit Font(int size) : size_(size) {}

  int width(char letter) const {
    int &width = widths_[static_cast<unsigned char>(letter) % widths_.size()];
    if (width == 0)            // RACE!
      width = measure(letter); // RACE!
    return width;              // RACE!
  }

  int lineHeight() const { return size_ + 2; } // NORACE

private:
  int measure(char letter) const { return size_ * (letter % 7 + 1); } // NORACE

  const int size_;
  mutable std::mutex mutex_;
  mutable std::array<int, 128> widths_{};
};

class Layout {
public:
  explicit Layout(std::shared_ptr<const Font> font) : font_(std::move(font)) {}

  int measure(const char *text) {
    for (; *text; ++text)
      width_ += font_->width(*text);     // NORACE
    return width_ / font_->lineHeight(); // NORACE
  }

private:
  std::shared_ptr<const Font> font_;
  int width_ = 0;
};

int main() {
  auto font = std::make_shared<const Font>(12);
  Layout title(font), body(font);
  int lines = 0, titleLines = 0;
  std::thread first([&] { titleLines = title.measure("race"); });
  std::thread second([&] { lines = body.measure("trace"); });
  first.join();
  second.join();
  return lines > 0 && titleLines > 0 ? 0 : 1; // NORACE
}
