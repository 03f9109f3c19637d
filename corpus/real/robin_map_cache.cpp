// tsl::robin_map behind a std::shared_mutex: readers look up, and who finds nothing inserts; a
// cleaner erases what has become old.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <tsl/robin_map.h>
#include <vector>

namespace {

class Cache {
public:
  std::string get(int key) {
    {
      std::shared_lock lock(mutex_);
      auto found = entries_.find(key);
      if (found != entries_.end())
        return found->second;
    }
    std::unique_lock lock(mutex_);
    auto [place, fresh] = entries_.insert({key, "value of " + std::to_string(key)});
    misses_ += fresh;
    return place->second;
  }

  void clean(int remainder) {
    std::unique_lock lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      bool old = entry->first % 5 == remainder;
      erased_ += old;
      entry = old ? entries_.erase(entry) : std::next(entry);
    }
  }

  bool isConsistent() const { return misses_ - erased_ == (long)entries_.size(); }

private:
  std::shared_mutex mutex_;
  tsl::robin_map<int, std::string> entries_;
  long misses_ = 0, erased_ = 0;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 15000;
  Cache cache;
  std::vector<std::thread> threads;
  for (int self = 0; self < 3; ++self)
    threads.emplace_back([&, self] {
      for (int i = 0; i < rounds; ++i) {
        int key = (i * (self + 1)) % 200;
        assert(cache.get(key) == "value of " + std::to_string(key));
      }
    });
  for (int i = 0; i < rounds / 100; ++i)
    cache.clean(i % 5);
  for (std::thread& thread : threads)
    thread.join();
  assert(cache.isConsistent());
}
