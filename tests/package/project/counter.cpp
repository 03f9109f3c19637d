#include "counter.h"

#include <mutex>

void Counter::add(bool locked) {
  static std::mutex mutex;
  if (!locked) {
    value_ = value_ + 1;
    return;
  }
  std::lock_guard<std::mutex> lock(mutex);
  value_ = value_ + 1;
}
