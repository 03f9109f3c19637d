// A detached telemetry thread that reports into an object owned by main. Main deletes the object
// and only then tells the thread to stop, and it does not wait for it: a report in between is a use
// after free.
#include <atomic>
#include <cassert>
#include <thread>

class Telemetry {
public:
  void report(int value) {
    last_ = value; // EXPECT: memory-error // RACE!
  }

private:
  int last_ = 0;
};

enum class State { running, stopped };

static std::atomic<State> state{State::running};

static void sample(Telemetry *telemetry) {
  for (int i = 0; i < 2 && state.load() == State::running; ++i)
    telemetry->report(20 + i);
}

int main() {
  auto *telemetry = new Telemetry;
  std::thread(sample, telemetry).detach();
  delete telemetry; // RACE!
  state.store(State::stopped);
  assert(state.load() == State::stopped);
}
