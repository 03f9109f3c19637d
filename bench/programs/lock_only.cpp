// Nothing but locks: threads move amounts between accounts, two locks per transfer and next to no
// work. Shows what a lock operation costs.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

/// What the forced runs of the bench aim at; each thread has an element of its own.
long progress[8];

struct Account {
  std::mutex mutex;
  long balance = 1000;
};

class Bank {
public:
  explicit Bank(size_t accounts) : accounts_(accounts) {}

  void transfer(size_t from, size_t to, long amount) {
    if (from == to)
      return;
    std::scoped_lock both(accounts_[from].mutex, accounts_[to].mutex);
    if (accounts_[from].balance < amount)
      return;
    accounts_[from].balance -= amount;
    accounts_[to].balance += amount;
  }
  long total() const {
    long sum = 0;
    for (const Account& account : accounts_)
      sum += account.balance;
    return sum;
  }
  size_t size() const { return accounts_.size(); }

private:
  std::vector<Account> accounts_;
};

} // namespace

int main(int argc, char** argv) {
  long transfers = argc > 1 ? std::atol(argv[1]) : 4000000;
  Bank bank(64);
  auto work = [&](unsigned seed) {
    unsigned state = seed * 2654435761u + 1;
    auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
    for (long i = 0; i < transfers; ++i)
      bank.transfer(next() % bank.size(), next() % bank.size(), 1 + next() % 50);
    progress[seed] = transfers;
  };
  std::thread first(work, 1);
  std::thread second(work, 2);
  first.join();
  second.join();
  std::printf("%ld\n", bank.total());
}
