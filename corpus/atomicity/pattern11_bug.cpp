// Pattern 11: the state that is observed is inconsistent, because a writing and a reading unit take
// turns. The blocks of a file and their number are changed under two mutexes, and the writer gives
// up the first too early: the reader can read the number, waits until it is written, and reads
// the blocks. Neither unit can come in between the two accesses of the other as a whole.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class File {
public:
  void grow(int size) {
    std::unique_lock<std::mutex> entry(entryMutex_);
    std::unique_lock<std::mutex> exit(exitMutex_);
    lastBlock_.store(size - 1); // VIOLATION: grow/11 first
    entry.unlock();
    size_.store(size); // VIOLATION: grow/11 second
  }

  bool isConsistent() {
    std::unique_lock<std::mutex> entry(entryMutex_);
    int size = size_.load(); // VIOLATION: grow/11 intruder
    std::unique_lock<std::mutex> exit(exitMutex_);
    int lastBlock = lastBlock_.load(); // VIOLATION: grow/11 intruder
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
    assert(consistent); // EXPECT: assertion
  });
  writer.join();
  checker.join();
}
