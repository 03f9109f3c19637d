// An object that counts its owners: who takes the count down to nothing has it alone.
// clang-format off
// RACY: count_.fetch_sub(1, std::memory_order_acq_rel) == 1 => count_.fetch_sub(1, std::memory_order_relaxed) == 1
// RACY: count_.fetch_sub(1, std::memory_order_acq_rel) == 1 => count_.fetch_sub(1, std::memory_order_acq_rel) == 2
// RACY: std::lock_guard<std::mutex> guard(mutex_); // add => // unlocked
// clang-format on
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Counted {
public:
  void retain() { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

protected:
  virtual ~Counted() = default;

private:
  std::atomic<int> count_{1};
};

class Notes : public Counted {
public:
  void add(const std::string& line) {
    std::lock_guard<std::mutex> guard(mutex_); // add
    lines_.push_back(line);
    ++edits_;
  }

private:
  ~Notes() override {
    lines_.clear();
    edits_ = 0;
  }
  std::mutex mutex_;
  std::vector<std::string> lines_;
  int edits_ = 0;
};

int main() {
  auto* notes = new Notes;
  notes->retain();
  std::thread writer([notes] {
    notes->add("from a thread");
    notes->release();
  });
  notes->add("from main");
  notes->release();
  writer.join();
}
