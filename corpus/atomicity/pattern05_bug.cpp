// Pattern 5: a value that was written is lost. A restart sets the state to stopped and, in another
// critical section, to running; a shutdown in between is overwritten, although it came after the
// restart had begun.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

enum class State { running, stopped, closed };

class Server {
public:
  void restart(std::atomic<bool> &begun) {
    std::unique_lock<std::mutex> guard(mutex_);
    state_ = State::stopped; // VIOLATION: shutdown/5 first
    guard.unlock();
    begun.store(true);
    guard.lock();
    state_ = State::running; // VIOLATION: shutdown/5 second
  }

  void shutDown() {
    std::lock_guard<std::mutex> guard(mutex_);
    state_ = State::closed; // VIOLATION: shutdown/5 intruder
  }

  State state() {
    std::lock_guard<std::mutex> guard(mutex_);
    return state_;
  }

private:
  std::mutex mutex_;
  State state_ = State::running;
};

int main() {
  Server server;
  std::atomic<bool> begun{false};
  bool isLast = false;
  std::thread watchdog([&] { server.restart(begun); });
  std::thread operations([&] {
    isLast = begun.load();
    server.shutDown();
  });
  watchdog.join();
  operations.join();
  assert(!isLast || server.state() == State::closed); // EXPECT: assertion
}
