// Pattern 5: a value that was written is lost. A restart sets the state to stopped and, in another
// step of the same critical section, to running; a shutdown that comes after the restart had begun
// has to wait for its end.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

enum class State { running, stopped, closed };

class Server {
public:
  void restart(std::atomic<bool> &begun) {
    std::unique_lock<std::mutex> guard(mutex_);
    state_ = State::stopped; // NOVIOLATION
    begun.store(true);
    state_ = State::running; // NOVIOLATION
  }

  void shutDown() {
    std::lock_guard<std::mutex> guard(mutex_);
    state_ = State::closed; // NOVIOLATION
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
  assert(!isLast || server.state() == State::closed);
}
