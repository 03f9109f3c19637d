// A service that is started once, with its state in static members of its class. start looks
// whether the service runs, and starts it in a second critical section; two threads can both find
// that it does not, and both start it.
#include <cassert>
#include <mutex>
#include <thread>

class Service {
public:
  static void start() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      if (running_) // VIOLATION: start/1,9 first
        return;
    }
    std::lock_guard<std::mutex> guard(mutex_);
    starts_ = starts_ + 1; // VIOLATION: start/1,9 second // VIOLATION: start/1,9 intruder
    running_ = true; // VIOLATION: start/1,9 second // VIOLATION: start/1,9 intruder
  }

  static int starts() {
    std::lock_guard<std::mutex> guard(mutex_);
    return starts_;
  }

private:
  static std::mutex mutex_;
  static bool running_;
  static int starts_;
};

std::mutex Service::mutex_;
bool Service::running_ = false;
int Service::starts_ = 0;

int main() {
  std::thread first([] { Service::start(); });
  std::thread second([] { Service::start(); });
  first.join();
  second.join();
  assert(Service::starts() == 1); // EXPECT: assertion
}
