// A service thread that idles in a yield loop until its state says stop. It announces that it is
// running by overwriting the state; when main has asked for the stop before that, the request is
// lost and the loop never ends.
#include <atomic>
#include <cassert>
#include <sched.h>
#include <thread>

class Service {
public:
  void run() {
    state_.store(State::running);
    while (state_.load() != State::stopping) // EXPECT: hang
      sched_yield();                         // EXPECT: hang
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
