// heddle-corpus: flags=-DSPDLOG_HEADER_ONLY,-DFMT_HEADER_ONLY,-DSPDLOG_FMT_EXTERNAL
// spdlog's asynchronous logger with a thread pool: three threads log thousands of lines, one of the
// sinks counts them.
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <spdlog/async.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <thread>
#include <vector>

namespace {

class CountingSink : public spdlog::sinks::base_sink<std::mutex> {
public:
  long lines() {
    std::lock_guard<std::mutex> guard(mutex_);
    return lines_;
  }

private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t formatted;
    formatter_->format(message, formatted);
    assert(formatted.size() > 10);
    ++lines_;
  }
  void flush_() override {}
  long lines_ = 0;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 4000;
  auto sink = std::make_shared<CountingSink>();
  {
    auto pool = std::make_shared<spdlog::details::thread_pool>(128, 1);
    auto logger = std::make_shared<spdlog::async_logger>("stress", sink, pool,
                                                         spdlog::async_overflow_policy::block);
    std::vector<std::thread> threads;
    for (int self = 0; self < 3; ++self)
      threads.emplace_back([&, self] {
        for (int i = 0; i < rounds; ++i)
          logger->info("thread {} line {}", self, i);
      });
    for (std::thread& thread : threads)
      thread.join();
    logger->flush();
  }
  assert(sink->lines() == 3L * rounds);
}
