// heddle-corpus: long=-DSTEPS=1000
// A string buffer whose every method is locked, after Java's StringBuffer. append asks the source
// for its length and then for that many characters; when the source is shortened in between, the
// source does not have them, and the exception that says so is not caught.
#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>

#ifndef STEPS
#define STEPS 0 // unrelated steps in the window
#endif

class Meter {
public:
  void count(int steps) {
    for (int i = 0; i < steps; ++i)
      steps_.fetch_add(1);
  }

private:
  std::atomic<int> steps_{0};
};

static Meter appendMeter, editMeter;

class StringBuffer {
public:
  explicit StringBuffer(const char *text) : length_(std::strlen(text)) {
    std::memcpy(text_, text, length_);
  }

  std::size_t length() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return length_; // VIOLATION: append/2 first
  }

  void getCharacters(std::size_t count, char *target) const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    if (count > length_) // VIOLATION: append/2 second
      throw std::out_of_range("source is shorter"); // EXPECT: exception
    std::memcpy(target, text_, count);
  }

  void setLength(std::size_t length) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    length_ = length; // VIOLATION: append/2 intruder
  }

  void append(const StringBuffer &source) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    std::size_t count = source.length();
    if (length_ + count > sizeof text_)
      throw std::length_error("buffer is full");
    appendMeter.count(STEPS);
    source.getCharacters(count, text_ + length_);
    length_ += count;
  }

private:
  mutable std::recursive_mutex mutex_;
  char text_[64] = {};
  std::size_t length_;
};

int main() {
  StringBuffer line("hello ");
  StringBuffer name("ada lovelace");
  std::thread writer([&] {
    appendMeter.count(STEPS + STEPS / 16);
    line.append(name);
  });
  std::thread editor([&] {
    editMeter.count(STEPS);
    name.setLength(3);
  });
  writer.join();
  editor.join();
}
