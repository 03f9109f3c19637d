// Bank accounts with a lock in each. A transfer holds the locks of both accounts that it changes.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Account {
public:
  explicit Account(long balance) : balance_(balance) {}

  void deposit(long amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    balance_ += amount; // NORACE
  }

  void transferTo(Account &other, long amount) {
    std::scoped_lock guard(mutex_, other.mutex_);
    ++transfers_;             // NORACE
    balance_ -= amount;       // NORACE
    other.balance_ += amount; // NORACE
  }

  long balance() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return balance_; // NORACE
  }

  int transfers() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return transfers_; // NORACE
  }

private:
  mutable std::mutex mutex_;
  long balance_;
  int transfers_ = 0;
};

using Accounts = std::vector<std::unique_ptr<Account>>;

static void work(const Accounts &accounts, std::size_t from) {
  for (std::size_t step = 1; step < accounts.size(); ++step) {
    Account &target = *accounts[(from + step) % accounts.size()]; // NORACE
    accounts[from]->transferTo(target, 5);                        // NORACE
    target.deposit(1);
  }
  if (accounts[from]->balance() > 1000)
    accounts[from]->deposit(-1);
}

int main() {
  Accounts accounts;
  for (int i = 0; i < 3; ++i)
    accounts.push_back(std::make_unique<Account>(100)); // NORACE
  std::vector<std::thread> tellers;
  for (std::size_t i = 0; i < accounts.size(); ++i)
    tellers.emplace_back([&accounts, i] { work(accounts, i); });
  for (std::thread &teller : tellers)
    teller.join();
  int transfers = 0;
  for (const auto &account : accounts)
    transfers += account->transfers();
  return transfers == 6 ? 0 : 1;
}
