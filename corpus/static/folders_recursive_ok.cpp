// A tree of folders with a lock in each. The recursive count holds the lock of a folder for its own
// fields, and each sub-folder takes its own.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Folder {
public:
  Folder(int depth, int width) {
    for (int i = 0; depth > 0 && i < width; ++i)
      children_.push_back(std::make_unique<Folder>(depth - 1, width)); // NORACE
  }

  void add(int bytes) {
    for (const auto &child : children_) // NORACE
      child->add(bytes);
    std::lock_guard<std::mutex> guard(mutex_);
    bytes_ += bytes; // NORACE
    ++files_;        // NORACE
  }

  long bytes() const {
    std::lock_guard<std::mutex> guard(mutex_);
    long sum = bytes_;                  // NORACE
    for (const auto &child : children_) // NORACE
      sum += child->bytes();
    return sum;
  }

  int files() const {
    std::lock_guard<std::mutex> guard(mutex_);
    int sum = files_;                   // NORACE
    for (const auto &child : children_) // NORACE
      sum += child->files();
    return sum;
  }

private:
  mutable std::mutex mutex_;
  long bytes_ = 0;
  int files_ = 0;
  std::vector<std::unique_ptr<Folder>> children_;
};

int main() {
  Folder root(2, 2);
  std::thread first([&root] { root.add(10); });
  std::thread second([&root] { root.add(20); });
  long early = root.bytes();
  first.join();
  second.join();
  return early <= 210 && root.bytes() == 210 && root.files() == 14 ? 0 : 1;
}
