// A detached telemetry thread that reports into an object owned by main. Main tells the thread to
// stop, waits on a condition variable until it has said goodbye, and then deletes the object.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Telemetry {
public:
  void report(int value) {
    last_ = value; // NORACE
  }

private:
  int last_ = 0;
};

enum class State { running, stopped };

static std::atomic<State> state{State::running};
static std::mutex mutex;
static std::condition_variable goodbye;
static int samplers = 1;

static void sample(Telemetry *telemetry) {
  for (int i = 0; i < 2 && state.load() == State::running; ++i)
    telemetry->report(20 + i);
  std::lock_guard<std::mutex> guard(mutex);
  --samplers;
  goodbye.notify_one();
}

int main() {
  auto *telemetry = new Telemetry;
  std::thread(sample, telemetry).detach();
  state.store(State::stopped);
  {
    std::unique_lock<std::mutex> lock(mutex);
    goodbye.wait(lock, [] { return samplers == 0; });
  }
  delete telemetry; // NORACE
  assert(state.load() == State::stopped);
}
