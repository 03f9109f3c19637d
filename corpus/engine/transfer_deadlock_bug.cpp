// Transfers between two bank accounts, each with its own mutex. A transfer locks the source first
// and the target second; two opposite transfers each hold one mutex and wait for the other.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
public:
  explicit Account(int balance) : balance_(balance) {}

  static void transfer(Account &from, Account &to, int amount) {
    std::lock_guard<std::mutex> source(from.mutex_);
    std::lock_guard<std::mutex> target(to.mutex_); // EXPECT: deadlock
    from.balance_ -= amount;
    to.balance_ += amount;
  }

  int balance() {
    std::lock_guard<std::mutex> guard(mutex_);
    return balance_;
  }

private:
  std::mutex mutex_;
  int balance_;
};

int main() {
  Account alice(100);
  Account bob(100);
  std::thread rent([&] { Account::transfer(alice, bob, 30); });
  std::thread refund([&] { Account::transfer(bob, alice, 10); });
  rent.join();
  refund.join();
  assert(alice.balance() == 80);
  assert(bob.balance() == 120);
}
