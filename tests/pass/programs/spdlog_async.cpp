// An asynchronous logger: thread pool, blocking queue, fmt. Prints how many lines its sink saw.
#include <spdlog/async.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <mutex>

class CountingSink : public spdlog::sinks::base_sink<std::mutex> {
public:
  int lines = 0;

protected:
  void sink_it_(const spdlog::details::log_msg&) override { ++lines; }
  void flush_() override {}
};

int main() {
  spdlog::init_thread_pool(128, 2);
  auto sink = std::make_shared<CountingSink>();
  auto logger = std::make_shared<spdlog::async_logger>("log", sink, spdlog::thread_pool(),
                                                       spdlog::async_overflow_policy::block);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i)
        logger->info("line {} {:.2f} {}", i, i / 3.0, std::string(i % 50, 'x'));
    });
  for (auto& thread : threads)
    thread.join();
  logger.reset();
  spdlog::shutdown();
  std::printf("%d lines\n", sink->lines);
}
