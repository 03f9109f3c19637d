// A service tells its clients through a std::latch that it is up. It publishes its endpoint first
// and counts the latch down last; the latch orders the two threads.
#include <cassert>
#include <latch>
#include <thread>

struct Endpoint {
  int port;
};

static std::latch started(1);
static Endpoint listener{8080};
static Endpoint *endpoint = nullptr;

static void startService() {
  endpoint = &listener; // NORACE
  started.count_down();
}

static int connectToService() {
  started.wait();
  return endpoint->port; // NORACE
}

int main() {
  int port = 0;
  std::thread service(startService);
  std::thread client([&] { port = connectToService(); });
  service.join();
  client.join();
  assert(port == 8080);
}
