// A mailbox whose receiver sleeps in std::atomic::wait on a version that every post increments. The
// receiver reads the version after it found the mailbox empty; a post in between is already in the
// version it reads, and it waits for a change that has happened.
#include <atomic>
#include <cassert>
#include <deque>
#include <mutex>
#include <thread>

class Mailbox {
public:
  void post(int message) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      messages_.push_back(message);
    }
    version_.fetch_add(1);
    version_.notify_one();
  }

  int receive() {
    int message = 0;
    while (!tryReceive(message))
      version_.wait(version_.load()); // EXPECT: deadlock
    return message;
  }

private:
  bool tryReceive(int &message) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (messages_.empty())
      return false;
    message = messages_.front();
    messages_.pop_front();
    return true;
  }

  std::mutex mutex_;
  std::deque<int> messages_;
  std::atomic<int> version_{0};
};

int main() {
  Mailbox mailbox;
  int received = 0;
  std::thread receiver([&] { received = mailbox.receive(); });
  std::thread sender([&] { mailbox.post(17); });
  receiver.join();
  sender.join();
  assert(received == 17);
}
