#pragma once
// After java.io.CharArrayReader of GNU Classpath 0.99: ready() looks without the lock.
#include <mutex>
#include <stdexcept>
#include <string>

class CharArrayReader {
public:
  explicit CharArrayReader(const std::string& buffer)
      : buf_(buffer), isOpen_(true), pos_(0), markedPos_(0),
        count_(static_cast<int>(buffer.size())) {}

  void close() {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    isOpen_ = false;
  }
  void mark(int /*readAheadLimit*/) {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    checkOpen();
    markedPos_ = pos_;
  }
  bool markSupported() const { return true; }
  int read() {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    checkOpen();
    return pos_ < count_ ? buf_[static_cast<size_t>(pos_++)] : -1;
  }
  std::string read(int length) {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    checkOpen();
    int taken = length < count_ - pos_ ? length : count_ - pos_;
    std::string text = buf_.substr(static_cast<size_t>(pos_), static_cast<size_t>(taken));
    pos_ += taken;
    return text;
  }
  bool ready() const {
    checkOpen();
    return pos_ < count_;
  }
  void reset() {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    checkOpen();
    pos_ = markedPos_;
  }
  long skip(long n) {
    std::lock_guard<std::recursive_mutex> guard(lock_);
    checkOpen();
    long skipped = n < count_ - pos_ ? n : count_ - pos_;
    pos_ += static_cast<int>(skipped);
    return skipped;
  }

private:
  void checkOpen() const {
    if (!isOpen_)
      throw std::runtime_error("stream closed");
  }

  mutable std::recursive_mutex lock_;
  std::string buf_;
  bool isOpen_;
  int pos_;
  int markedPos_;
  int count_;
};
