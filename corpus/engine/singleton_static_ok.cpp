// A singleton as a static local whose constructor enters itself into a registry under the
// registry's mutex. describe() asks for the singleton before it locks the registry, so nobody who
// holds the mutex ever waits for the initialisation.
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
    static Settings settings;
    return settings;
  }
  int verbosity() const { return verbosity_; }

private:
  Settings() {
    std::lock_guard<std::recursive_mutex> guard(registryMutex);
    registry.push_back("settings"); // NORACE
  }
  int verbosity_ = 2;
};

static size_t describe() {
  int verbosity = Settings::instance().verbosity();
  std::lock_guard<std::recursive_mutex> guard(registryMutex);
  return registry.size() + verbosity; // NORACE
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
