// Two units of work that are torn, one beside the other: a counter of lines, which breaks nothing,
// and a balance, of which an update is lost.
#include <cassert>
#include <mutex>
#include <thread>

class Log {
public:
  void note() {
    long before = lines();
    std::lock_guard lock(mutex_);
    lines_ = before + 1;
  }

private:
  long lines() {
    std::lock_guard lock(mutex_);
    return lines_;
  }
  std::mutex mutex_;
  long lines_ = 0;
};

class Account {
public:
  void deposit() {
    long before = balance();
    std::lock_guard lock(mutex_);
    balance_ = before + 1;
  }
  long balance() {
    std::lock_guard lock(mutex_);
    return balance_;
  }

private:
  std::mutex mutex_;
  long balance_ = 0;
};

int main() {
  Log log;
  Account account;
  auto work = [&] {
    log.note();
    account.deposit();
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  assert(account.balance() == 2 && "an update was lost");
}
