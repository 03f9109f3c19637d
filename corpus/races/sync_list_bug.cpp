// Two synchronized linked lists, after Java's synchronized LinkedList. Every method locks its own
// list, but containsAll walks over the other list with a cursor and without that list's lock. A
// removeAll or clear of the other list meanwhile fails the cursor's check, or frees the node that
// the cursor stands on.
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
    Cursor cursor = other.cursor();
    while (cursor.hasNext())
      if (!contains(cursor.next()))
        return false;
    return true;
  }

  void removeAll(int lowest, int highest) {
    std::lock_guard<std::mutex> guard(mutex_);
    ++changes_;                                                            // RACE: check-remove
    values_.remove_if([&](int v) { return lowest <= v && v <= highest; }); // RACE: step-remove
  }

  void clear() {
    std::lock_guard<std::mutex> guard(mutex_);
    ++changes_;      // RACE: check-clear
    values_.clear(); // RACE: step-clear
  }

private:
  class Cursor {
  public:
    explicit Cursor(SyncList &list)
        : list_(list), position_(list.values_.begin()), changes_(list.changes_) {}

    bool hasNext() const { return position_ != list_.values_.end(); }

    int next() {
      assert(list_.changes_ == changes_); // EXPECT: assertion // RACE: check-remove, check-clear
      return *position_++;                // EXPECT: memory-error // RACE: step-remove, step-clear
    }

  private:
    SyncList &list_;
    std::list<int>::iterator position_;
    int changes_;
  };

  Cursor cursor() {
    std::lock_guard<std::mutex> guard(mutex_);
    return Cursor(*this);
  }

  std::mutex mutex_;
  std::list<int> values_;
  int changes_ = 0;
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
