// A registry of services by name, each method locked. describe asks whether the service is there
// and gets its port in one look-up, so that nothing can be withdrawn in between.
#include <cassert>
#include <cstddef>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

class Registry {
public:
  void announce(std::size_t service, int port) {
    std::lock_guard<std::mutex> guard(mutex_);
    entries_[service].port = port;
    entries_[service].known = true;
  }

  void withdraw(std::size_t service) {
    std::lock_guard<std::mutex> guard(mutex_);
    entries_[service].known = false; // NOVIOLATION
  }

  std::optional<int> port(std::size_t service) const {
    std::lock_guard<std::mutex> guard(mutex_);
    if (!entries_[service].known) // NOVIOLATION
      return std::nullopt;
    return entries_[service].port; // NOVIOLATION
  }

private:
  struct Entry {
    bool known = false;
    int port = 0;
  };

  mutable std::mutex mutex_;
  Entry entries_[4];
};

static int portOrDefault(const Registry &registry, std::size_t service) {
  return registry.port(service).value_or(80);
}

int main() {
  Registry registry;
  registry.announce(2, 8443);
  std::thread client([&] {
    int port = portOrDefault(registry, 2);
    assert(port == 80 || port == 8443);
  });
  std::thread service([&] { registry.withdraw(2); });
  client.join();
  service.join();
}
