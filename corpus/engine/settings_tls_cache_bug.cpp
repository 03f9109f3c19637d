// A setting that each thread caches in thread_local storage together with the version it saw. The
// writer raises the version before it stores the new value; a reader in between caches the old
// value under the new version and never looks again.
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
    cached.timeoutSeconds = timeoutSeconds.load();
    cached.version = seen;
  }
  return cached.timeoutSeconds;
}

static void update() {
  for (int next = 2; next <= 4; ++next) {
    version.store(next);
    timeoutSeconds.store(15 * next);
    published.store(15 * next);
  }
}

static void poll() {
  for (int i = 0; i < 4; ++i) {
    int atLeast = published.load();
    assert(currentTimeout() >= atLeast); // EXPECT: assertion
  }
}

int main() {
  std::thread administrator(update);
  std::thread client(poll);
  administrator.join();
  client.join();
}
