// A service thread that idles in a yield loop until its state says stop. It announces that it is
// running only if nobody has asked for the stop yet (compare-and-exchange), so no request is lost.
#include <atomic>
#include <cassert>
#include <sched.h>
#include <thread>

class Service {
public:
  void run() {
    State expected = State::starting;
    if (!state_.compare_exchange_strong(expected, State::running)) // NORACE
      return;
    while (state_.load() != State::stopping)
      sched_yield();
  }

  void stop() { state_.store(State::stopping); }

private:
  enum class State { starting, running, stopping };

  std::atomic<State> state_{State::starting};
};

static int preloaded = 0;

static void preload() { preloaded = 5; }

int main() {
  Service service;
  std::thread background([&] { service.run(); });
  std::thread loader(preload);
  loader.join();
  service.stop();
  background.join();
  assert(preloaded == 5);
}
