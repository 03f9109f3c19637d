// Request counters of a server, incremented by two handler threads. Each counter is an atomic with
// an atomic increment, so no request is lost; main reads them after it joined the handlers.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

struct Metrics {
  std::atomic<int> requests{0};
  std::atomic<long> bytes{0};
};

static Metrics metrics;

static void handleRequest(int size) {
  metrics.requests.fetch_add(1, std::memory_order_relaxed); // NORACE
  metrics.bytes.fetch_add(size, std::memory_order_relaxed); // NORACE
}

int main() {
  std::vector<std::thread> handlers;
  for (int i = 0; i < 2; ++i)
    handlers.emplace_back([i] {
      handleRequest(100 + i);
      handleRequest(200 + i);
    });
  for (std::thread &handler : handlers)
    handler.join();
  assert(metrics.requests.load() == 4); // NORACE
  assert(metrics.bytes.load() == 602);  // NORACE
}
