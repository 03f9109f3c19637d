// Pattern 5: a value that was written is lost. A restart sets the state to stopped and, in another
// step of the same critical section, to running; a shutdown that comes after the restart had begun
// has to wait for its end. The trail of all changes shows it.
#include <cassert>
#include <mutex>
#include <thread>

enum class State { running, stopped, closed };

// Its users lock it.
class Trail {
public:
  void append(State state) { states_[count_++] = state; }
  State at(int index) const { return states_[index]; }

private:
  State states_[3] = {};
  int count_ = 0;
};

class Server {
public:
  explicit Server(Trail &trail) : trail_(trail) {}

  void restart() {
    std::unique_lock<std::mutex> guard(mutex_);
    state_ = State::stopped; // NOVIOLATION
    trail_.append(State::stopped);
    state_ = State::running; // NOVIOLATION
    trail_.append(State::running);
  }

  void shutDown() {
    std::lock_guard<std::mutex> guard(mutex_);
    state_ = State::closed; // NOVIOLATION
    trail_.append(State::closed);
  }

  State state() {
    std::lock_guard<std::mutex> guard(mutex_);
    return state_;
  }

private:
  Trail &trail_;
  std::mutex mutex_;
  State state_ = State::running;
};

int main() {
  Trail trail;
  Server server(trail);
  std::thread watchdog([&] { server.restart(); });
  std::thread operations([&] { server.shutDown(); });
  watchdog.join();
  operations.join();
  bool shutDownAfterBegin = trail.at(0) == State::stopped;
  assert(!shutDownAfterBegin || server.state() == State::closed);
}
