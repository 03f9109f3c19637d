// nlohmann::json: threads make documents, hand their text over a queue, others parse them and merge
// what they say into a document that all share behind a mutex.
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace {

using Json = nlohmann::json;

class Texts {
public:
  void put(std::string text) {
    std::lock_guard guard(mutex_);
    texts_.push_back(std::move(text));
    arrived_.notify_one();
  }
  std::string take() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return !texts_.empty(); });
    std::string text = std::move(texts_.front());
    texts_.pop_front();
    return text;
  }

private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::string> texts_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 1500;
  Texts texts;
  std::mutex mutex;
  Json merged = {{"count", 0}, {"users", Json::object()}};
  std::vector<std::thread> threads;
  for (int self = 0; self < 2; ++self)
    threads.emplace_back([&, self] {
      for (int i = 0; i < rounds; ++i) {
        Json document = {{"user", "user" + std::to_string(i % 7)}, {"values", {self, i, 2 * i}}};
        texts.put(document.dump());
      }
    });
  for (int self = 0; self < 2; ++self)
    threads.emplace_back([&] {
      for (int i = 0; i < rounds; ++i) {
        Json document = Json::parse(texts.take());
        long value = document["values"][2].get<long>() - 2 * document["values"][1].get<long>();
        assert(value == 0);
        std::lock_guard guard(mutex);
        merged["count"] = merged["count"].get<int>() + 1;
        Json& user = merged["users"][document["user"].get<std::string>()];
        user = user.is_null() ? 1 : user.get<int>() + 1;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  assert(merged["count"] == 2 * rounds);
  int users = 0;
  for (const auto& user : merged["users"])
    users += user.get<int>();
  assert(users == 2 * rounds);
}
