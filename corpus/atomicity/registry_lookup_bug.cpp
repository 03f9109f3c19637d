// A registry of services by name, each method locked. describe asks whether the service is there
// and then for its port; when the service is withdrawn in between, the look-up throws.
#include <cassert>
#include <cstddef>
#include <mutex>
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
    entries_[service].known = false; // VIOLATION: withdraw/2 intruder
  }

  bool contains(std::size_t service) const {
    std::lock_guard<std::mutex> guard(mutex_);
    return entries_[service].known; // VIOLATION: withdraw/2 first
  }

  int port(std::size_t service) const {
    std::lock_guard<std::mutex> guard(mutex_);
    if (!entries_[service].known) // VIOLATION: withdraw/2 second
      throw std::out_of_range("no such service"); // EXPECT: exception
    return entries_[service].port;
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
  if (!registry.contains(service))
    return 80;
  return registry.port(service);
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
