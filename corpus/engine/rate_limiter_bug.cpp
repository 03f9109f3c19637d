// A rate limiter with an atomic number of tokens. Taking one is a check and then a decrement, each
// atomic, both together not: with one token left two clients pass the check and the count becomes
// negative.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

class RateLimiter {
public:
  explicit RateLimiter(int tokens) : tokens_(tokens) {}

  bool tryAcquire() {
    if (tokens_.load() <= 0)
      return false;
    tokens_.fetch_sub(1);
    return true;
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
  assert(limiter.tokens() == 0); // EXPECT: assertion
  assert(admitted.load() == 2);
}
