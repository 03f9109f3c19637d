// Left-right: two copies of a map; readers use the one that is announced, and a writer changes the
// other one, announces it, waits until the readers of the first have gone, and changes that as
// well.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class LeftRight {
public:
  template <typename Function> auto read(Function function) {
    int version = version_.load();
    readers_[version].fetch_add(1);
    auto result = function(copies_[side_.load()]);
    readers_[version].fetch_sub(1);
    return result;
  }

  template <typename Function> void write(Function function) {
    std::lock_guard<std::mutex> guard(writers_);
    int side = side_.load();
    function(copies_[1 - side]);
    side_.store(1 - side);
    int version = version_.load();
    waitForReaders(1 - version);
    version_.store(1 - version);
    waitForReaders(version);
    function(copies_[side]);
  }

private:
  void waitForReaders(int version) {
    while (readers_[version].load() != 0)
      std::this_thread::yield();
  }

  std::mutex writers_;
  std::atomic<int> side_{0};
  std::atomic<int> version_{0};
  std::atomic<int> readers_[2] = {};
  std::map<int, int> copies_[2];
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 15000;
  LeftRight shared;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      int last = 0;
      for (int round = 0; round < rounds; ++round) {
        int value = shared.read([](const std::map<int, int>& map) {
          auto first = map.find(1), second = map.find(2);
          if (first == map.end())
            return 0;
          assert(second != map.end() && second->second == -first->second);
          return first->second;
        });
        assert(value >= last);
        last = value;
      }
    });
  for (int i = 1; i <= rounds / 10 + 1; ++i)
    shared.write([i](std::map<int, int>& map) {
      map[1] = i;
      map[2] = -i;
    });
  for (std::thread& thread : threads)
    thread.join();
}
