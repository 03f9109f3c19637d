// Fonts with glyphs that are measured when they are first needed. The const method of a shared font
// fills the cache inside it under a lock; a font of a single thread is never shared at all.
#include <array>
#include <memory>
#include <mutex>
#include <thread>

class Font {
public:
  explicit Font(int size) : size_(size) {}

  int width(char letter) const {
    std::lock_guard<std::mutex> guard(mutex_);
    int &width = widths_[static_cast<unsigned char>(letter) % widths_.size()];
    if (width == 0)            // NORACE
      width = measure(letter); // NORACE
    return width;              // NORACE
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
