// An indexer in a jthread, which is stopped and joined by the end of its block. The result is read
// inside the block, before that.
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

class Index {
public:
  void add(int word) {
    std::lock_guard<std::mutex> guard(mutex_);
    words_.push_back(word); // NORACE
  }

  std::size_t words() {
    std::lock_guard<std::mutex> guard(mutex_);
    return words_.size(); // NORACE
  }

  void run(std::stop_token stop) {
    int word = 0;
    while (!stop.stop_requested() && word < 50) {
      add(word++);
      ++passes_; // RACE!
      std::this_thread::yield();
    }
    finished_ = true; // NORACE
  }

  int passes() const { return passes_; }      // RACE!
  bool finished() const { return finished_; } // NORACE

private:
  std::mutex mutex_;
  std::vector<int> words_;
  int passes_ = 0;
  bool finished_ = false;
};

int main() {
  Index index;
  int passes = 0;
  std::size_t early = 0;
  {
    std::jthread indexer([&index](std::stop_token stop) { index.run(stop); });
    while (early < 3)
      early = index.words();
    passes = index.passes();
  }
  if (!index.finished() || early > index.words())
    return 1;
  return passes <= 50 ? 0 : 1;
}
