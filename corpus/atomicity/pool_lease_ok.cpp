// A pool of licences, each method locked. A lease asks whether a licence is available and then
// takes one if there still is one, so that the first question is only a short cut. That somebody
// takes the last licence in between does no harm.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

class Pool {
public:
  explicit Pool(int licences) : available_(licences) {}

  int available() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return available_; // BENIGN: taken/2 first
  }

  bool tryTake() {
    std::lock_guard<std::mutex> guard(mutex_);
    int left = available_; // BENIGN: taken/2 second
    if (left == 0)
      return false;
    available_ = left - 1; // BENIGN: taken/2 intruder
    return true;
  }

private:
  mutable std::mutex mutex_;
  int available_;
};

static bool lease(Pool &pool) {
  if (pool.available() == 0)
    return false;
  return pool.tryTake();
}

int main() {
  Pool pool(1);
  bool leased[2] = {};
  std::thread editor([&] { leased[0] = lease(pool); });
  std::thread compiler([&] { leased[1] = lease(pool); });
  editor.join();
  compiler.join();
  assert(leased[0] != leased[1]);
  assert(pool.available() == 0);
}
