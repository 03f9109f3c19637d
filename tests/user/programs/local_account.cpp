// Everything that the threads share is on main's stack; the check and the withdrawal are apart.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 1;

  bool covers(int amount) {
    std::lock_guard<std::mutex> hold(mutex);
    return balance >= amount;
  }
  void take(int amount) {
    std::lock_guard<std::mutex> hold(mutex);
    balance -= amount;
    assert(balance >= 0);
  }
};

int main() {
  Account account;
  auto withdraw = [&account] {
    if (account.covers(1))
      account.take(1);
  };
  std::thread other(withdraw);
  withdraw();
  other.join();
}
