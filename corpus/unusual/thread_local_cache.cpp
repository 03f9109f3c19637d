// Every thread keeps what it looked up in a thread_local map and throws it away when the shared
// version has changed; threads come and go, and their caches with them.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::atomic<int> liveCaches{0};

class Directory {
public:
  int look(int key) {
    static thread_local Cache cache;
    int version = version_.load(std::memory_order_acquire);
    if (cache.version != version) {
      cache.entries.clear();
      cache.version = version;
    }
    auto found = cache.entries.find(key);
    if (found != cache.entries.end())
      return found->second;
    std::lock_guard<std::mutex> guard(mutex_);
    return cache.entries[key] = entries_[key];
  }

  void change(int key, int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    entries_[key] = value;
    version_.fetch_add(1, std::memory_order_release);
  }

private:
  struct Cache {
    Cache() { ++liveCaches; }
    ~Cache() { --liveCaches; }
    int version = -1;
    std::map<int, int> entries;
  };

  std::mutex mutex_;
  std::atomic<int> version_{0};
  std::map<int, int> entries_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  Directory directory;
  for (int generation = 0; generation < 3; ++generation) {
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i)
      readers.emplace_back([&] {
        int last[4] = {};
        for (int round = 0; round < rounds; ++round) {
          int value = directory.look(round % 4);
          assert(value >= last[round % 4]);
          last[round % 4] = value;
        }
      });
    for (int i = 0; i < rounds / 50; ++i)
      directory.change(i % 4, generation * rounds + i);
    for (std::thread& reader : readers)
      reader.join();
    assert(liveCaches == 0);
  }
}
