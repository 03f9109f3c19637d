// boost::asio: a thread pool, strands, timers and a coroutine. Prints a sum.
#include <boost/asio.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>

namespace asio = boost::asio;

asio::awaitable<void> count(std::atomic<long>& sum, int n) {
  auto executor = co_await asio::this_coro::executor;
  for (int i = 0; i < n; ++i) {
    asio::steady_timer timer(executor, std::chrono::microseconds(10));
    co_await timer.async_wait(asio::use_awaitable);
    sum += i;
  }
}

int main() {
  asio::thread_pool pool(3);
  auto strand = asio::make_strand(pool);
  std::atomic<long> sum{0};
  long ordered = 0;
  for (int i = 0; i < 500; ++i) {
    asio::post(pool, [&, i] { sum += i; });
    asio::post(strand, [&, i] { ordered += i; });
  }
  for (int i = 0; i < 4; ++i)
    asio::co_spawn(pool, count(sum, 20), asio::detached);
  pool.join();
  std::printf("%ld %ld\n", sum.load(), ordered);
}
