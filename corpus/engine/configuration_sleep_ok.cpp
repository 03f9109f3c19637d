// A server that waits for its configuration loader through a future, however long the loader has to
// back off because the store is busy.
#include <cassert>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>

using std::chrono::milliseconds;

struct Configuration {
  int port = 0;
};

static std::mutex storeMutex;
static int storeRevision = 0;
static Configuration configuration;

static void loadConfiguration(std::promise<void> loaded) {
  while (!storeMutex.try_lock())
    std::this_thread::sleep_for(milliseconds(2));
  configuration.port = 8080; // NORACE
  storeMutex.unlock();
  loaded.set_value();
}

static void saveStore() {
  std::lock_guard<std::mutex> guard(storeMutex);
  ++storeRevision;
}

int main() {
  std::promise<void> loaded;
  std::future<void> isLoaded = loaded.get_future();
  std::thread loader(loadConfiguration, std::move(loaded));
  std::thread saver(saveStore);
  isLoaded.get();
  assert(configuration.port == 8080); // NORACE
  loader.join();
  saver.join();
}
