// A bank account whose every access is locked, used by two cash machines at once. The check of the
// balance and the withdrawal are two critical sections, so both machines can pass the check before
// either takes the money, and the account is overdrawn. No data race, an atomicity violation.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
public:
  explicit Account(int balance) : balance_(balance) {}

  int balance() {
    std::lock_guard<std::mutex> guard(mutex_);
    return balance_;
  }

  void withdraw(int amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    balance_ -= amount;
    assert(balance_ >= 0); // EXPECT: assertion
  }

private:
  std::mutex mutex_;
  int balance_;
};

static bool dispense(Account &account, int amount) {
  if (account.balance() < amount)
    return false;
  account.withdraw(amount);
  return true;
}

int main() {
  Account account(100);
  bool paidLeft = false;
  bool paidRight = false;
  std::thread left([&] { paidLeft = dispense(account, 80); });
  std::thread right([&] { paidRight = dispense(account, 60); });
  left.join();
  right.join();
  assert(paidLeft || paidRight);
}
