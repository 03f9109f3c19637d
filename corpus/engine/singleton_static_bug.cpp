// A singleton as a static local whose constructor enters itself into a registry under the
// registry's mutex. describe() holds that mutex and asks for the singleton: one thread holds the
// mutex and waits for the initialisation, the other initialises and waits for the mutex.
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::recursive_mutex registryMutex;
static std::vector<std::string> registry;

class Settings {
public:
  static Settings &instance() {
    static Settings settings; // EXPECT: deadlock
    return settings;
  }
  int verbosity() const { return verbosity_; }

private:
  Settings() {
    std::lock_guard<std::recursive_mutex> guard(registryMutex); // EXPECT: deadlock
    registry.push_back("settings");
  }
  int verbosity_ = 2;
};

static size_t describe() {
  std::lock_guard<std::recursive_mutex> guard(registryMutex);
  int verbosity = Settings::instance().verbosity();
  return registry.size() + verbosity;
}

int main() {
  int verbosity = 0;
  size_t described = 0;
  std::thread service([&] { verbosity = Settings::instance().verbosity(); });
  std::thread console([&] { described = describe(); });
  service.join();
  console.join();
  assert(verbosity == 2 && described == 3);
}
