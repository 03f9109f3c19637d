// Pattern 2: two reads of one location give different values. A share is computed if there are
// members, and their number is read again for the division; when all left in between, it is 0.
#include <cassert>
#include <mutex>
#include <thread>

class Club {
public:
  int share(int amount) {
    std::unique_lock<std::mutex> guard(mutex_);
    if (members_ == 0) // VIOLATION: share/2 first
      return 0;
    guard.unlock();
    guard.lock();
    int members = members_; // VIOLATION: share/2 second
    assert(members != 0); // EXPECT: assertion
    return amount / members;
  }

  void dissolve() {
    std::lock_guard<std::mutex> guard(mutex_);
    members_ = 0; // VIOLATION: share/2 intruder
  }

private:
  std::mutex mutex_;
  int members_ = 4;
};

int main() {
  Club club;
  std::thread treasurer([&] {
    int share = club.share(100);
    assert(share == 25 || share == 0);
  });
  std::thread board([&] { club.dissolve(); });
  treasurer.join();
  board.join();
}
