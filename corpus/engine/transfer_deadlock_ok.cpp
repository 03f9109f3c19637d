// Transfers between two bank accounts, each with its own mutex. std::scoped_lock takes both with
// deadlock avoidance: it never waits for one mutex while it holds the other.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
public:
  explicit Account(int balance) : balance_(balance) {}

  static void transfer(Account &from, Account &to, int amount) {
    std::scoped_lock both(from.mutex_, to.mutex_);
    from.balance_ -= amount; // NORACE
    to.balance_ += amount;   // NORACE
  }

  int balance() {
    std::lock_guard<std::mutex> guard(mutex_);
    return balance_; // NORACE
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
