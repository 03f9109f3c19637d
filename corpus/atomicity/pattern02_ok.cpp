// Pattern 2: two reads of one location give different values. A share is computed if there are
// members, and their number is read again for the division, under the same lock.
#include <cassert>
#include <mutex>
#include <thread>

class Club {
public:
  int share(int amount) {
    std::unique_lock<std::mutex> guard(mutex_);
    if (members_ == 0) // NOVIOLATION
      return 0;
    int members = members_; // NOVIOLATION
    assert(members != 0);
    return amount / members;
  }

  void dissolve() {
    std::lock_guard<std::mutex> guard(mutex_);
    members_ = 0; // NOVIOLATION
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
