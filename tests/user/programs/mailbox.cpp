/// take waits until there is a letter, gives the lock back, and takes the letter in another
/// critical section: somebody else may have taken it. What it sees before it waits has no part in
/// that.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Mailbox {
public:
  void put() {
    std::lock_guard guard(mutex_);
    ++letters_;
    filled_.notify_one();
  }
  void take() {
    waitForLetter();
    std::lock_guard guard(mutex_);
    assert(letters_ > 0);
    --letters_; // TAKEN
  }

private:
  void waitForLetter() {
    std::unique_lock lock(mutex_);
    while (letters_ == 0) // SEEN
      filled_.wait(lock);
  }
  std::mutex mutex_;
  std::condition_variable filled_;
  int letters_ = 0;
};

int main() {
  Mailbox box;
  std::thread one([&] { box.take(); });
  std::thread two([&] { box.take(); });
  std::thread sender([&] {
    box.put();
    box.put();
  });
  one.join();
  two.join();
  sender.join();
}
