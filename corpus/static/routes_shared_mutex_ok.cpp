// Routes behind a shared mutex. The lookup takes it shared and writes nothing but an atomic; the
// routes themselves are only written under the exclusive lock.
#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct Route {
  int gateway = 0;
  std::atomic<long> hits{0};
};

class RouteTable {
public:
  void add(int prefix, int gateway) {
    std::unique_lock<std::shared_mutex> lock(mutex_);
    routes_[prefix].gateway = gateway; // NORACE
    ++changes_;                        // NORACE
  }

  int lookup(int prefix) {
    std::shared_lock<std::shared_mutex> lock(mutex_);
    auto found = routes_.find(prefix); // NORACE
    if (found == routes_.end())
      return -1;
    found->second.hits += 1;      // NORACE
    return found->second.gateway; // NORACE
  }

  int changes() const {
    std::shared_lock<std::shared_mutex> lock(mutex_);
    return changes_; // NORACE
  }

private:
  mutable std::shared_mutex mutex_;
  std::map<int, Route> routes_;
  int changes_ = 0;
};

static void forwardPackets(RouteTable &table) {
  for (int packet = 0; packet < 20; ++packet)
    table.lookup(packet % 3);
}

int main() {
  RouteTable table;
  table.add(0, 254);
  std::thread first([&] { forwardPackets(table); });
  std::thread second([&] { forwardPackets(table); });
  table.add(1, 7);
  table.add(2, 8);
  first.join();
  second.join();
  return table.changes() == 3 ? 0 : 1;
}
