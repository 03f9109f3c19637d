// Four bank accounts, each with its own mutex, and four clerks who move money between them. A
// transfer locks the source first and the target second; two clerks with opposite transfers between
// the same two accounts each hold one mutex and wait for the other.
#include <array>
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>

class Account {
public:
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
  int balance_ = 100;
};

class Bank {
public:
  void move(std::size_t from, std::size_t to, int amount) {
    Account::transfer(accounts_[from], accounts_[to], amount);
  }

  int total() {
    int sum = 0;
    for (Account &account : accounts_)
      sum += account.balance();
    return sum;
  }

private:
  std::array<Account, 4> accounts_;
};

int main() {
  Bank bank;
  std::thread rent([&] {
    bank.move(0, 1, 30);
    bank.move(2, 3, 5);
  });
  std::thread refund([&] {
    bank.move(1, 0, 10);
    bank.move(3, 2, 20);
  });
  std::thread loan([&] {
    bank.move(2, 3, 40);
    bank.move(0, 1, 15);
  });
  std::thread repayment([&] {
    bank.move(3, 2, 25);
    bank.move(1, 0, 35);
  });
  rent.join();
  refund.join();
  loan.join();
  repayment.join();
  assert(bank.total() == 400);
}
