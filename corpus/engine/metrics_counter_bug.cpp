// Request counters of a server, incremented by two handler threads without any synchronisation.
// The increment of a plain integer is a load and a store; when both handlers load the same value,
// one request is lost from the statistics.
#include <cassert>
#include <thread>
#include <vector>

struct Metrics {
  int requests = 0;
  long bytes = 0;
};

static Metrics metrics;

static void handleRequest(int size) {
  metrics.requests++;    // RACE!
  metrics.bytes += size; // RACE!
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
  assert(metrics.requests == 4); // EXPECT: assertion
  assert(metrics.bytes == 602);  // EXPECT: assertion
}
