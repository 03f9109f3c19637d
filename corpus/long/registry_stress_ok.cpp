// A stress test of a registry of handlers: two threads that register and remove theirs, two that
// call whatever is registered, 100,000 locked operations. The look-up and the call are one critical
// section.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

#ifndef ROUNDS
#define ROUNDS 25000
#endif

constexpr unsigned kNames = 256;

class Registry {
public:
  void add(unsigned name, unsigned factor) {
    std::lock_guard<std::mutex> guard(mutex_);
    factors_[name] = factor;
  }

  void remove(unsigned name) {
    std::lock_guard<std::mutex> guard(mutex_);
    factors_.erase(name);
  }

  /// 0 if there is none.
  unsigned call(unsigned name, unsigned argument) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto handler = factors_.find(name); // NORACE
    return handler == factors_.end() ? 0 : handler->second * argument;
  }

private:
  std::mutex mutex_;
  std::map<unsigned, unsigned> factors_;
};

static unsigned work(unsigned seed) {
  for (int i = 0; i < 5000; ++i)
    seed = seed * 1664525u + 1013904223u;
  return seed;
}

/// Keeps most of its handlers for long.
static void own(Registry& registry, unsigned first) {
  for (unsigned name = first; name < kNames; name += 2)
    registry.add(name, name);
  unsigned seed = first + 1;
  for (unsigned i = 0; i < ROUNDS / 2; ++i) {
    seed = work(seed);
    unsigned name = (seed >> 16) % (kNames / 2) * 2 + first;
    registry.remove(name);
    seed = work(seed);
    registry.add(name, seed);
  }
}

static void use(Registry& registry, unsigned seed, unsigned& sum) {
  for (unsigned i = 0; i < ROUNDS; ++i) {
    seed = work(seed);
    unsigned name = (seed >> 16) % kNames;
    sum += registry.call(name, i);
  }
}

int main() {
  Registry registry;
  unsigned sums[2] = {};
  std::thread owners[2], users[2];
  for (unsigned i = 0; i < 2; ++i) {
    owners[i] = std::thread(own, std::ref(registry), i);
    users[i] = std::thread(use, std::ref(registry), i * 7919 + 1, std::ref(sums[i]));
  }
  for (int i = 0; i < 2; ++i) {
    owners[i].join();
    users[i].join();
  }
}
