// Double-checked initialisation with acquire and release, for each of many entries of a table, by
// threads that go through the table in different orders.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Font {
  explicit Font(int size) : size(size), widths(16, size) {}
  int size;
  std::vector<int> widths;
};

class Fonts {
public:
  explicit Fonts(int count) : fonts_(count) {}
  ~Fonts() {
    for (std::atomic<Font*>& font : fonts_)
      delete font.load(std::memory_order_relaxed);
  }

  const Font& get(int index) {
    Font* font = fonts_[index].load(std::memory_order_acquire);
    if (font)
      return *font;
    std::lock_guard<std::mutex> guard(mutex_);
    font = fonts_[index].load(std::memory_order_relaxed);
    if (!font) {
      font = new Font(index + 1);
      ++made_;
      fonts_[index].store(font, std::memory_order_release);
    }
    return *font;
  }

  int made() const { return made_; }

private:
  std::mutex mutex_;
  int made_ = 0;
  std::vector<std::atomic<Font*>> fonts_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  constexpr int kFonts = 61;
  Fonts fonts(kFonts);
  std::vector<std::thread> threads;
  for (int self = 0; self < 3; ++self)
    threads.emplace_back([&, self] {
      for (int i = 0; i < rounds; ++i) {
        int index = (i * (self + 1) + self) % kFonts;
        const Font& font = fonts.get(index);
        assert(font.size == index + 1 && font.widths[i % 16] == font.size);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  assert(fonts.made() <= kFonts);
}
