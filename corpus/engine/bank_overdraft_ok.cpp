// A bank account used by two cash machines at once. The check of the balance and the withdrawal
// are one critical section, so at most one of the two withdrawals that exceed the balance together
// goes through.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
public:
  explicit Account(int balance) : balance_(balance) {}

  int balance() {
    std::lock_guard<std::mutex> guard(mutex_);
    return balance_; // NORACE
  }

  bool tryWithdraw(int amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (balance_ < amount) // NORACE
      return false;
    balance_ -= amount; // NORACE
    assert(balance_ >= 0);
    return true;
  }

private:
  std::mutex mutex_;
  int balance_;
};

int main() {
  Account account(100);
  bool paidLeft = false;
  bool paidRight = false;
  std::thread left([&] { paidLeft = account.tryWithdraw(80); });
  std::thread right([&] { paidRight = account.tryWithdraw(60); });
  left.join();
  right.join();
  assert(paidLeft != paidRight);
  assert(account.balance() == (paidLeft ? 20 : 40));
}
