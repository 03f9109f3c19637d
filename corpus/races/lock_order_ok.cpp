// Four bank accounts, each with its own mutex, and four clerks who move money between them. A
// transfer locks the account with the lower number first, whichever way the money goes, so the
// clerks cannot wait for each other in a circle.
#include <array>
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>

class Account {
public:
  std::mutex mutex;
  int balance = 100;
};

class Bank {
public:
  void move(std::size_t from, std::size_t to, int amount) {
    Account &lower = accounts_[from < to ? from : to];
    Account &higher = accounts_[from < to ? to : from];
    std::lock_guard<std::mutex> first(lower.mutex);
    std::lock_guard<std::mutex> second(higher.mutex);
    accounts_[from].balance -= amount;
    accounts_[to].balance += amount;
  }

  int total() {
    int sum = 0;
    for (Account &account : accounts_) {
      std::lock_guard<std::mutex> guard(account.mutex);
      sum += account.balance;
    }
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
