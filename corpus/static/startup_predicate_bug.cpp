// A service that loads its settings and then opens a gate, on which the workers wait with a
// predicate. The gate is opened one setting too early.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class Gate {
public:
  void open() {
    std::lock_guard<std::mutex> guard(mutex_);
    open_ = true; // NORACE
    opened_.notify_all();
  }

  void pass() {
    std::unique_lock<std::mutex> lock(mutex_);
    opened_.wait(lock, [this] { return open_; }); // NORACE
  }

private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

struct Settings {
  int port = 0;
  int timeout = 0;
};

static Settings settings;
static Gate gate;

static void loadSettings() {
  settings.port = 8080; // NORACE
  gate.open();
  settings.timeout = 30; // RACE!
}

static void work(int &result) {
  gate.pass();
  result = settings.port;   // NORACE
  if (settings.timeout > 0) // RACE!
    ++result;
}

int main() {
  std::vector<int> results(2);
  std::thread first([&results] { work(results[0]); });
  std::thread second([&results] { work(results[1]); });
  loadSettings();
  first.join();
  second.join();
  return results[0] >= 8080 && results[1] >= 8080 ? 0 : 1; // NORACE
}
