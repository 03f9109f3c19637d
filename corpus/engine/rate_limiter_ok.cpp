// A rate limiter with an atomic number of tokens. A token is taken by compare-and-exchange from a
// value that was seen to be positive, so the count never becomes negative.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

class RateLimiter {
public:
  explicit RateLimiter(int tokens) : tokens_(tokens) {}

  bool tryAcquire() {
    int seen = tokens_.load();
    while (seen > 0)
      if (tokens_.compare_exchange_weak(seen, seen - 1)) // NORACE
        return true;
    return false;
  }

  int tokens() const { return tokens_.load(); }

private:
  std::atomic<int> tokens_;
};

int main() {
  RateLimiter limiter(2);
  std::atomic<int> admitted{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i)
    clients.emplace_back([&] {
      if (limiter.tryAcquire())
        admitted.fetch_add(1);
    });
  for (std::thread &client : clients)
    client.join();
  assert(limiter.tokens() == 0); // NORACE
  assert(admitted.load() == 2);
}
