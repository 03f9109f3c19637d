// A setting that each thread caches in thread_local storage together with the version it saw. The
// writer stores the value before it raises the version; a reader may cache the new value under the
// old version, but never the old value under the new one.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> version{1};
static std::atomic<int> timeoutSeconds{15};
static std::atomic<int> published{15};

struct Cached {
  int version = 0;
  int timeoutSeconds = 0;
};

static thread_local Cached cached;

static int currentTimeout() {
  int seen = version.load();
  if (cached.version != seen) {
    cached.timeoutSeconds = timeoutSeconds.load(); // NORACE
    cached.version = seen;
  }
  return cached.timeoutSeconds;
}

static void update() {
  for (int next = 2; next <= 4; ++next) {
    timeoutSeconds.store(15 * next); // NORACE
    version.store(next);
    published.store(15 * next);
  }
}

static void poll() {
  for (int i = 0; i < 4; ++i) {
    int atLeast = published.load();
    assert(currentTimeout() >= atLeast);
  }
}

int main() {
  std::thread administrator(update);
  std::thread client(poll);
  administrator.join();
  client.join();
}
