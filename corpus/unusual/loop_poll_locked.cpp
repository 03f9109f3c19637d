// A thread polls a result under its lock, without any wait, while another works for long and then
// finishes; a third one polls through try_lock and counts how often it asked.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace {

class Result {
public:
  void progress(long value) {
    std::lock_guard<std::mutex> guard(mutex_);
    partial_ = value;
  }

  void finish() {
    std::lock_guard<std::mutex> guard(mutex_);
    final_ = partial_;
  }

  bool isDone() {
    std::lock_guard<std::mutex> guard(mutex_);
    return final_.has_value();
  }

  bool tryIsDone() {
    std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    return lock.owns_lock() && final_.has_value();
  }

  long value() {
    std::lock_guard<std::mutex> guard(mutex_);
    return final_.value();
  }

private:
  std::mutex mutex_;
  long partial_ = 0;
  std::optional<long> final_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  Result result;
  long asked = 0;
  std::thread worker([&] {
    long sum = 0;
    for (int i = 1; i <= rounds; ++i)
      result.progress(sum += i);
    result.finish();
  });
  std::thread trying([&] {
    while (!result.tryIsDone())
      ++asked;
  });
  while (!result.isDone()) {
  }
  worker.join();
  trying.join();
  assert(result.value() == (long)rounds * (rounds + 1) / 2);
  assert(asked >= 0);
}
