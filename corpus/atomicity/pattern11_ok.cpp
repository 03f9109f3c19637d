// Pattern 11: the state that is observed is inconsistent, because a writing and a reading unit take
// turns. The blocks of a file and their number are changed and read under two mutexes, which both
// keep until they are done.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class File {
public:
  void grow(int size) {
    std::unique_lock<std::mutex> entry(entryMutex_);
    std::unique_lock<std::mutex> exit(exitMutex_);
    lastBlock_.store(size - 1); // NOVIOLATION
    size_.store(size); // NOVIOLATION
  }

  bool isConsistent() {
    std::unique_lock<std::mutex> entry(entryMutex_);
    int size = size_.load(); // NOVIOLATION
    std::unique_lock<std::mutex> exit(exitMutex_);
    int lastBlock = lastBlock_.load(); // NOVIOLATION
    return lastBlock == size - 1;
  }

private:
  std::mutex entryMutex_;
  std::mutex exitMutex_;
  std::atomic<int> lastBlock_{2};
  std::atomic<int> size_{3};
};

int main() {
  File file;
  std::thread writer([&] { file.grow(8); });
  std::thread checker([&] {
    bool consistent = file.isConsistent();
    assert(consistent);
  });
  writer.join();
  checker.join();
}
