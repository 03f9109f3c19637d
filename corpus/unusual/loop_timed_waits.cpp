// Everything with a time limit, in a loop: wait_for on a condition variable, try_lock_for,
// wait_until on a future and short sleeps. A limit that is reached only means another round.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

namespace {

struct Feed {
  std::mutex mutex;
  std::condition_variable arrived;
  std::timed_mutex printer;
  int items = 0;
  bool ended = false;
};

int consume(Feed& feed, long& timeouts) {
  int taken = 0;
  std::unique_lock<std::mutex> lock(feed.mutex);
  for (;;) {
    if (!feed.arrived.wait_for(lock, 200us, [&] { return feed.items > 0 || feed.ended; })) {
      ++timeouts;
      continue;
    }
    if (feed.items == 0)
      return taken;
    --feed.items;
    ++taken;
  }
}

void produce(Feed& feed, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    if (i % 256 == 0)
      std::this_thread::sleep_for(50us);
    std::lock_guard<std::mutex> guard(feed.mutex);
    ++feed.items;
    feed.arrived.notify_one();
  }
  std::lock_guard<std::mutex> guard(feed.mutex);
  feed.ended = true;
  feed.arrived.notify_all();
}

void print(Feed& feed, int rounds, int& printed) {
  for (int i = 0; i < rounds; ++i) {
    while (!feed.printer.try_lock_for(100us)) {
    }
    ++printed;
    feed.printer.unlock();
  }
}

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 10000;
  Feed feed;
  long timeouts = 0;
  int printed = 0;
  std::future<int> taken = std::async(std::launch::async, [&] { return consume(feed, timeouts); });
  std::thread producer(produce, std::ref(feed), rounds);
  std::thread first(print, std::ref(feed), rounds, std::ref(printed));
  std::thread second(print, std::ref(feed), rounds, std::ref(printed));
  while (taken.wait_for(100us) != std::future_status::ready) {
  }
  assert(taken.get() == rounds);
  producer.join();
  first.join();
  second.join();
  assert(printed == 2 * rounds);
  assert(timeouts >= 0);
}
