#pragma once
// After org.h2.schema.Sequence of H2 1.4.182: getNext locks, some of what looks at the value
// does not.
#include <algorithm>
#include <limits>
#include <mutex>
#include <stdexcept>

class Sequence {
public:
  Sequence(long startValue, long increment)
      : value_(startValue), valueWithMargin_(startValue), increment_(increment), cacheSize_(32),
        minValue_(1), maxValue_(std::numeric_limits<long>::max()), cycle_(false),
        belongsToTable_(false), writes_(0) {}

  void modify(long startValue, long minValue, long maxValue, long increment) {
    Guard guard(mutex_);
    if (!isValid(startValue, minValue, maxValue, increment))
      throw std::invalid_argument("sequence attributes");
    value_ = startValue;
    valueWithMargin_ = startValue;
    minValue_ = minValue;
    maxValue_ = maxValue;
    increment_ = increment;
  }
  static bool isValid(long value, long minValue, long maxValue, long increment) {
    return minValue <= value && maxValue >= value && maxValue > minValue && increment != 0;
  }
  static long getDefaultMinValue(long startValue, long increment) {
    return increment >= 0 ? std::min(1L, startValue) : std::numeric_limits<long>::min();
  }
  static long getDefaultMaxValue(long startValue, long increment) {
    return increment >= 0 ? std::numeric_limits<long>::max() : std::max(-1L, startValue);
  }
  bool getBelongsToTable() const { return belongsToTable_; }
  long getIncrement() const { return increment_; }
  long getMinValue() const { return minValue_; }
  long getMaxValue() const { return maxValue_; }
  bool getCycle() const { return cycle_; }
  void setCycle(bool cycle) { cycle_ = cycle; }
  long getNext() {
    bool needsFlush = false;
    long result = 0;
    {
      Guard guard(mutex_);
      if ((increment_ > 0 && value_ >= valueWithMargin_) ||
          (increment_ < 0 && value_ <= valueWithMargin_)) {
        valueWithMargin_ += increment_ * cacheSize_;
        needsFlush = true;
      }
      result = value_;
      value_ += increment_;
    }
    if (needsFlush)
      flush();
    return result;
  }
  void flushWithoutMargin() {
    if (valueWithMargin_ != value_) {
      valueWithMargin_ = value_;
      flush();
    }
  }
  void flush() {
    Guard guard(flushSync_);
    ++writes_;
  }
  void close() { flushWithoutMargin(); }
  long getCurrentValue() const { return value_ - increment_; }
  void setBelongsToTable(bool belongs) { belongsToTable_ = belongs; }
  void setCacheSize(long cacheSize) { cacheSize_ = std::max(1L, cacheSize); }
  long getCacheSize() const { return cacheSize_; }

private:
  using Guard = std::lock_guard<std::recursive_mutex>;
  mutable std::recursive_mutex mutex_;
  std::recursive_mutex flushSync_;
  long value_;
  long valueWithMargin_;
  long increment_;
  long cacheSize_;
  long minValue_;
  long maxValue_;
  bool cycle_;
  bool belongsToTable_;
  long writes_;
};
