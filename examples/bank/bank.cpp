// A small bank. Every balance is guarded by its account's mutex, so there is no data race, and a
// race detector has nothing to say. The bug is in transfer(): whether there is enough money and
// taking it are two critical sections, and another transfer can come between them.
//
//   heddle-c++ -std=c++20 -g -O1 bank.cpp -o bank
//   heddle check ./bank
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class Account {
public:
  explicit Account(long balance) : balance_(balance) {}

  long balance() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return balance_;
  }

  void deposit(long amount) {
    std::lock_guard<std::mutex> lock(mutex_);
    balance_ += amount;
  }

  void withdraw(long amount) {
    std::lock_guard<std::mutex> lock(mutex_);
    balance_ -= amount;
    assert(balance_ >= 0 && "an account was overdrawn");
  }

private:
  mutable std::mutex mutex_;
  long balance_;
};

class Bank {
public:
  Bank(size_t accounts, long balance) {
    for (size_t i = 0; i < accounts; ++i)
      accounts_.push_back(new Account(balance));
  }
  ~Bank() {
    for (Account* account : accounts_)
      delete account;
  }
  Bank(const Bank&) = delete;
  Bank& operator=(const Bank&) = delete;

  bool transfer(size_t from, size_t to, long amount) {
    if (accounts_[from]->balance() < amount)
      return false;
    // Here another transfer from the same account may take the money.
    accounts_[from]->withdraw(amount);
    accounts_[to]->deposit(amount);
    return true;
  }

  long total() const {
    long sum = 0;
    for (const Account* account : accounts_)
      sum += account->balance();
    return sum;
  }

private:
  std::vector<Account*> accounts_;
};

int main() {
  Bank bank(3, 100);
  std::thread rent([&] { bank.transfer(0, 1, 70); });
  std::thread shopping([&] { bank.transfer(0, 2, 50); });
  std::thread salary([&] { bank.transfer(1, 2, 10); });
  rent.join();
  shopping.join();
  salary.join();
  assert(bank.total() == 300);
  std::printf("total: %ld\n", bank.total());
}
