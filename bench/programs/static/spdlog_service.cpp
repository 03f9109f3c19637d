// A small service that logs through spdlog's asynchronous logger: user threads, a registry that is
// asked from all of them, several sinks, one written by the program itself.
#define SPDLOG_HEADER_ONLY
#define FMT_HEADER_ONLY
#include <spdlog/async.h>
#include <spdlog/fmt/ostr.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/daily_file_sink.h>
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <spdlog/stopwatch.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

/// Counts what passes; spdlog's base class holds the lock.
class CountingSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
  long count(spdlog::level::level_enum level) {
    std::lock_guard<std::mutex> guard(mutex_);
    return counts_[static_cast<int>(level)];
  }

protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    ++counts_[static_cast<int>(message.level)];
    spdlog::memory_buf_t formatted;
    formatter_->format(message, formatted);
    last_ = fmt::to_string(formatted);
  }
  void flush_() override {}

private:
  std::map<int, long> counts_;
  std::string last_;
};

struct Order {
  int id = 0;
  std::string customer;
  double amount = 0;
};

class Ledger {
public:
  void add(const Order& order) {
    std::lock_guard<std::mutex> guard(mutex_);
    orders_[order.id] = order;
    total_ += order.amount;
  }
  double total() {
    std::lock_guard<std::mutex> guard(mutex_);
    return total_;
  }
  long unguarded = 0;

private:
  std::mutex mutex_;
  std::map<int, Order> orders_;
  double total_ = 0;
};

void work(int number, Ledger& ledger) {
  auto log = spdlog::get("service");
  auto audit = spdlog::get("audit");
  spdlog::stopwatch watch;
  for (int i = 0; i < 20; ++i) {
    Order order{number * 100 + i, fmt::format("customer-{}", i % 7), i * 1.5};
    ledger.add(order);
    ledger.unguarded += 1; // RACE: every worker
    log->info("worker {}: order {} of {} for {:.2f}", number, order.id, order.customer,
              order.amount);
    if (i % 5 == 0)
      audit->warn("total is {:>10.3f} after {} s", ledger.total(), watch);
    log->debug("{} {} {}", i, true, static_cast<const void*>(&ledger));
  }
}

} // namespace

int main() {
  spdlog::init_thread_pool(256, 2);
  auto counting = std::make_shared<CountingSink>();
  auto console = std::make_shared<spdlog::sinks::stdout_color_sink_mt>();
  auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>("spdlog_service.log", true);
  auto rotating = std::make_shared<spdlog::sinks::rotating_file_sink_mt>("/tmp/spdlog_rotating.log",
                                                                         1 << 16, 2);
  auto ring = std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(64);
  auto dist = std::make_shared<spdlog::sinks::dist_sink_mt>();
  dist->add_sink(counting);
  dist->add_sink(ring);
  std::vector<spdlog::sink_ptr> sinks{console, file, dist};
  auto service = std::make_shared<spdlog::async_logger>("service", sinks.begin(), sinks.end(),
                                                        spdlog::thread_pool(),
                                                        spdlog::async_overflow_policy::block);
  auto audit = std::make_shared<spdlog::async_logger>(
      "audit", rotating, spdlog::thread_pool(), spdlog::async_overflow_policy::overrun_oldest);
  spdlog::register_logger(service);
  spdlog::register_logger(audit);
  spdlog::set_pattern("[%H:%M:%S.%e] [%n] [%^%l%$] [%t] %v");
  service->set_level(spdlog::level::debug);
  spdlog::flush_every(std::chrono::seconds(1));

  Ledger ledger;
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i)
    workers.emplace_back([i, &ledger] { work(i, ledger); });
  for (std::thread& worker : workers)
    worker.join();
  service->info("{} infos, total {}", counting->count(spdlog::level::info), ledger.total());
  for (const std::string& line : ring->last_formatted())
    service->trace(line);
  spdlog::apply_all([](std::shared_ptr<spdlog::logger> each) { each->flush(); });
  spdlog::shutdown();
  return ledger.total() > 0 ? 0 : 1;
}
