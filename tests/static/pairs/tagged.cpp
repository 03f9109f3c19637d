// An address with a bit in it, in an integer that is copied like any other.
// RACY: std::lock_guard<std::mutex> guard(mutex); // add => // unlocked
#include <cstdint>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  long balance = 0;
  void add(long amount) {
    std::lock_guard<std::mutex> guard(mutex); // add
    balance += amount;
  }
};

class Handle {
public:
  Handle(Account& account, bool urgent)
      : target_(reinterpret_cast<std::uintptr_t>(&account) | (urgent ? 1 : 0)) {}
  Handle(const Handle& other) : target_(other.target_) {}
  Account& account() const { return *reinterpret_cast<Account*>(target_ & ~std::uintptr_t{1}); }

private:
  std::uintptr_t target_;
};

int main() {
  Account account;
  Handle first(account, true);
  Handle second(first);
  std::thread one([second] { second.account().add(1); });
  std::thread other([second] { second.account().add(2); });
  one.join();
  other.join();
  return account.balance == 3 ? 0 : 1;
}
