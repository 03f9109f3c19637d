// Boost.Asio: a thread pool, strands that keep handlers of one session in order, timers, and a
// chain of posts from handler to handler.
#include <atomic>
#include <boost/asio.hpp>
#include <cassert>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

namespace asio = boost::asio;

namespace {

struct Session {
  explicit Session(asio::thread_pool& pool) : strand(asio::make_strand(pool)) {}
  asio::strand<asio::thread_pool::executor_type> strand;
  long handled = 0; // only in the strand
  int last = -1;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 6000;
  std::atomic<int> chained{0}, expired{0};
  asio::thread_pool pool(3); // before the sessions: their strands refer to it
  std::vector<std::unique_ptr<Session>> sessions;
  for (int i = 0; i < 3; ++i)
    sessions.push_back(std::make_unique<Session>(pool));
  for (int i = 0; i < rounds; ++i)
    for (auto& session : sessions)
      asio::post(session->strand, [&session = *session, i] {
        assert(session.last == i - 1);
        session.last = i;
        ++session.handled;
      });
  std::function<void()> chain = [&] {
    if (++chained < rounds)
      asio::post(pool, chain);
  };
  asio::post(pool, chain);
  std::vector<asio::steady_timer> timers;
  for (int i = 0; i < 10; ++i) {
    timers.emplace_back(pool, std::chrono::microseconds(100 * i));
    timers.back().async_wait([&](const boost::system::error_code& error) {
      assert(!error);
      ++expired;
    });
  }
  pool.join();
  for (auto& session : sessions)
    assert(session->handled == rounds);
  assert(chained == rounds && expired == 10);
}
