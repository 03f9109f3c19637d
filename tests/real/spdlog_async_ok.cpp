// spdlog's asynchronous logger, header-only: two threads log through a thread pool into a sink that
// counts. After shutdown every message has arrived.
#include <cassert>
#include <spdlog/async.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <thread>

namespace {

class CountingSink : public spdlog::sinks::base_sink<std::mutex> {
public:
  int count = 0;

protected:
  void sink_it_(const spdlog::details::log_msg&) override { ++count; }
  void flush_() override {}
};

} // namespace

int main() {
  auto sink = std::make_shared<CountingSink>();
  {
    auto pool = std::make_shared<spdlog::details::thread_pool>(8, 1);
    auto logger = std::make_shared<spdlog::async_logger>("bank", sink, pool,
                                                         spdlog::async_overflow_policy::block);
    std::thread first([&] { logger->info("transfer {}", 1); });
    std::thread second([&] { logger->warn("overdraft {}", 2); });
    first.join();
    second.join();
  } // the pool's destructor drains the queue
  assert(sink->count == 2);
}
