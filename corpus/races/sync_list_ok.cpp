// Two synchronized linked lists, after Java's synchronized LinkedList. Every method locks its own
// list, and containsAll asks the other list for a copy that is made under that list's lock; it
// walks over the copy, which nobody else knows. No thread holds two locks at once.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <list>
#include <mutex>
#include <thread>

class SyncList {
public:
  SyncList(std::initializer_list<int> values) : values_(values) {}

  std::size_t size() {
    std::lock_guard<std::mutex> guard(mutex_);
    return values_.size();
  }

  bool contains(int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    return std::find(values_.begin(), values_.end(), value) != values_.end();
  }

  bool containsAll(SyncList &other) {
    for (int value : other.snapshot())
      if (!contains(value))
        return false;
    return true;
  }

  void removeAll(int lowest, int highest) {
    std::lock_guard<std::mutex> guard(mutex_);
    values_.remove_if([&](int v) { return lowest <= v && v <= highest; });
  }

  void clear() {
    std::lock_guard<std::mutex> guard(mutex_);
    values_.clear();
  }

private:
  std::list<int> snapshot() {
    std::lock_guard<std::mutex> guard(mutex_);
    return values_;
  }

  std::mutex mutex_;
  std::list<int> values_;
};

int main() {
  SyncList drafts{1, 2, 3};
  SyncList letters{3, 2, 1};
  std::thread compareDrafts([&] { drafts.containsAll(letters); });
  std::thread compareLetters([&] { letters.containsAll(drafts); });
  std::thread expire([&] {
    drafts.removeAll(2, 3);
    letters.removeAll(1, 2);
  });
  std::thread reset([&] {
    letters.clear();
    drafts.clear();
  });
  compareDrafts.join();
  compareLetters.join();
  expire.join();
  reset.join();
  assert(drafts.size() == 0 && letters.size() == 0);
}
