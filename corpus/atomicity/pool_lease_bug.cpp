// A pool of licences, each method locked. A lease asks whether a licence is available and then
// takes it; two threads can both find the last one available, and the second take throws.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

class Pool {
public:
  explicit Pool(int licences) : available_(licences) {}

  int available() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return available_; // VIOLATION: lease/2 first
  }

  void take() {
    std::lock_guard<std::mutex> guard(mutex_);
    int left = available_; // VIOLATION: lease/2 second
    if (left == 0)
      throw std::runtime_error("no licence left"); // EXPECT: exception
    available_ = left - 1; // VIOLATION: lease/2 intruder
  }

private:
  mutable std::mutex mutex_;
  int available_;
};

static bool lease(Pool &pool) {
  if (pool.available() == 0)
    return false;
  pool.take();
  return true;
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
