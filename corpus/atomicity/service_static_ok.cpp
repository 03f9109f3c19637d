// A service that is started once, with its state in static members of its class. start looks
// whether the service runs, and looks again in the critical section in which it starts it. That
// another thread starts it between the two looks does no harm.
#include <cassert>
#include <mutex>
#include <thread>

class Service {
public:
  static void start() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      if (running_) // BENIGN: started/2 first
        return;
    }
    std::lock_guard<std::mutex> guard(mutex_);
    if (running_) // BENIGN: started/2 second
      return;
    starts_ = starts_ + 1; // NOVIOLATION
    running_ = true; // BENIGN: started/2 intruder
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
  assert(Service::starts() == 1);
}
