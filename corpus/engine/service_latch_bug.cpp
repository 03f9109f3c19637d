// A service tells its clients through a std::latch that it is up. It counts the latch down before
// it has published its endpoint, so a client that is released at once follows a null pointer.
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
  started.count_down();
  endpoint = &listener; // RACE!
}

static int connectToService() {
  started.wait();
  return endpoint->port; // EXPECT: crash // RACE!
}

int main() {
  int port = 0;
  std::thread service(startService);
  std::thread client([&] { port = connectToService(); });
  service.join();
  client.join();
  assert(port == 8080);
}
