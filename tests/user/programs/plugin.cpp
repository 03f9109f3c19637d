// A library that programs load and close: with destructors, thread-local variables, a thread that its
// constructor starts, and a lost update.
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

extern "C" int destroyed; // of the program

namespace {

class Registry {
public:
  Registry() {
    std::thread([this] { add("first"); }).join();
    started_ = true;
  }
  ~Registry() { ++destroyed; }
  int add(const char* name) {
    std::lock_guard lock(mutex_);
    names_.push_back(name);
    return static_cast<int>(names_.size());
  }
  bool started() const { return started_; }

private:
  std::mutex mutex_;
  std::vector<std::string> names_;
  bool started_ = false;
};

Registry registry;
thread_local int calls = 0;
int counter;

} // namespace

extern "C" int callPlugin() {
  ++calls;
  return registry.started() ? registry.add("more") + (calls > 0) : 0;
}

extern "C" int countInPlugin() {
  int before = counter;
  counter = before + 1;
  return counter;
}

extern "C" void workInPlugin() {
  for (int i = 0; i < 5; ++i)
    registry.add("work");
}
