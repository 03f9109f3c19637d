#pragma once
// After java.io.CharArrayWriter of OpenJDK 7: reset() and size() do not lock.
#include <mutex>
#include <string>

class CharArrayWriter {
public:
  CharArrayWriter() : CharArrayWriter(32) {}
  explicit CharArrayWriter(int initialSize)
      : buf_(new char[static_cast<size_t>(initialSize)]), capacity_(initialSize), count_(0) {}
  CharArrayWriter(const CharArrayWriter&) = delete;
  CharArrayWriter& operator=(const CharArrayWriter&) = delete;
  ~CharArrayWriter() { delete[] buf_; }

  void write(int c) {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    grow(count_ + 1);
    buf_[count_] = static_cast<char>(c);
    count_ = count_ + 1;
  }
  void write(const char* text, int offset, int length) {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    put(text + offset, length);
  }
  void write(const std::string& text, int offset, int length) {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    put(text.data() + offset, length);
  }
  void writeTo(CharArrayWriter& out) {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    out.write(buf_, 0, count_);
  }
  CharArrayWriter& append(const std::string& text) {
    write(text, 0, static_cast<int>(text.size()));
    return *this;
  }
  CharArrayWriter& append(const std::string& text, int start, int end) {
    write(text, start, end - start);
    return *this;
  }
  CharArrayWriter& append(char c) {
    write(c);
    return *this;
  }
  void reset() { count_ = 0; }
  std::string toCharArray() const {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    return std::string(buf_, static_cast<size_t>(count_));
  }
  int size() const { return count_; }
  std::string toString() const {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    return std::string(buf_, static_cast<size_t>(count_));
  }
  void flush() {}
  void close() {}

private:
  void put(const char* text, int length) {
    grow(count_ + length);
    for (int i = 0; i < length; ++i)
      buf_[count_ + i] = text[i];
    count_ += length;
  }
  void grow(int wanted) {
    if (wanted <= capacity_)
      return;
    int larger = capacity_ * 2 > wanted ? capacity_ * 2 : wanted;
    char* bytes = new char[static_cast<size_t>(larger)];
    for (int i = 0; i < count_; ++i)
      bytes[i] = buf_[i];
    delete[] buf_;
    buf_ = bytes;
    capacity_ = larger;
  }

  mutable std::recursive_mutex lock_;
  char* buf_;
  int capacity_;
  int count_;
};
