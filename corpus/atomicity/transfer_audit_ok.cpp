// heddle-corpus: long=-DSTEPS=1000
// A bank moves money between its accounts. Withdrawal and deposit are locked, each on its own,
// and the transfer holds the lock over both, so that an audit never sees money on its way.
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>

#ifndef STEPS
#define STEPS 0 // unrelated steps in the window
#endif

class Journal {
public:
  void write(int lines) {
    for (int i = 0; i < lines; ++i) {
      std::lock_guard<std::mutex> guard(mutex_);
      ++lines_;
    }
  }

private:
  std::mutex mutex_;
  int lines_ = 0;
};

static Journal transferJournal, auditJournal;

class Bank {
public:
  void transfer(std::size_t from, std::size_t to, int amount) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    withdraw(from, amount);
    transferJournal.write(STEPS);
    deposit(to, amount);
  }

  int audit() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    int total = 0;
    for (std::size_t i = 0; i < 3; ++i)
      total += balances_[i]; // NOVIOLATION
    return total;
  }

private:
  void withdraw(std::size_t account, int amount) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    balances_[account] -= amount; // NOVIOLATION
  }

  void deposit(std::size_t account, int amount) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    balances_[account] += amount; // NOVIOLATION
  }

  mutable std::recursive_mutex mutex_;
  int balances_[3] = {100, 50, 0};
};

int main() {
  Bank bank;
  int total = 0;
  std::thread customer([&] {
    transferJournal.write(STEPS + STEPS / 16);
    bank.transfer(0, 2, 30);
  });
  std::thread auditor([&] {
    auditJournal.write(STEPS);
    total = bank.audit();
  });
  customer.join();
  auditor.join();
  assert(total == 150);
}
