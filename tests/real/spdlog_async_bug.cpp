// A misuse of spdlog's asynchronous logger: the result is checked after flush(), which only asks
// the pool to flush and does not wait for it.
#include <atomic>
#include <cassert>
#include <spdlog/async.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <thread>

namespace {

class CountingSink : public spdlog::sinks::base_sink<std::mutex> {
public:
  std::atomic<int> count{0};

protected:
  void sink_it_(const spdlog::details::log_msg&) override { ++count; }
  void flush_() override {}
};

} // namespace

int main() {
  auto sink = std::make_shared<CountingSink>();
  auto pool = std::make_shared<spdlog::details::thread_pool>(8, 1);
  auto logger = std::make_shared<spdlog::async_logger>("bank", sink, pool,
                                                       spdlog::async_overflow_policy::block);
  logger->info("transfer {}", 1);
  logger->flush();
  std::thread audit([&] { assert(sink->count <= 1); });
  audit.join();             // gives the pool time to run when nothing preempts
  assert(sink->count == 1); // EXPECT: assertion
}
