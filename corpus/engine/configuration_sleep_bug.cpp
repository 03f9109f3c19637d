// A server that gives its configuration loader "enough time" by sleeping. When the loader finds the
// store busy it backs off for longer than that, and the server starts with the port still unset.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using std::chrono::milliseconds;

struct Configuration {
  int port = 0;
};

static std::mutex storeMutex;
static int storeRevision = 0;
static Configuration configuration;

static void loadConfiguration() {
  while (!storeMutex.try_lock())
    std::this_thread::sleep_for(milliseconds(2));
  configuration.port = 8080; // RACE!
  storeMutex.unlock();
}

static void saveStore() {
  std::lock_guard<std::mutex> guard(storeMutex);
  ++storeRevision;
}

int main() {
  std::thread loader(loadConfiguration);
  std::thread saver(saveStore);
  std::this_thread::sleep_for(milliseconds(1));
  assert(configuration.port == 8080); // EXPECT: assertion // RACE!
  loader.join();
  saver.join();
}
