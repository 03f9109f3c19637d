// The account example of the paper (figure 1 and 5): every access is locked, and a copy can still
// be half old and half new.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

class Account {
public:
  Account(double c, double s) {
    setChk(c);
    setSav(s);
#ifdef DECLARED
    HEDDLE_ATOMIC_SET(checking_, "balances");
    HEDDLE_ATOMIC_SET(savings_, "balances");
#endif
  }
  Account(Account& other) { // not atomic
    setEqChk(other);
    setEqSav(other);
  }
  bool isLegal() { return getChk() >= 0 && getSav() >= 0; }
  void creditInterest(double rate) {
    std::lock_guard lock(mutex_);
    setChk(getChk() * (1 + rate));
    setSav(getSav() * (1 + rate));
  }
  void setEqChk(Account& other) {
    std::lock_guard lock(mutex_);
    setChk(other.getChk());
  }
  void setEqSav(Account& other) {
    std::lock_guard lock(mutex_);
    setSav(other.getSav());
  }
  double getChk() {
    std::lock_guard lock(mutex_);
    return checking_; // READ CHECKING
  }
  double getSav() {
    std::lock_guard lock(mutex_);
    return savings_; // READ SAVINGS
  }
  void setChk(double c) {
    std::lock_guard lock(mutex_);
    checking_ = c; // WRITE CHECKING
  }
  void setSav(double s) {
    std::lock_guard lock(mutex_);
    savings_ = s; // WRITE SAVINGS
  }

private:
  std::recursive_mutex mutex_;
  double checking_ = 0;
  double savings_ = 0;
};

Account x(100, 100);

void second() { x.creditInterest(0.5); }

void first() {
  if (!x.isLegal())
    return;
  std::thread other(second);
  Account y(x);
#ifdef CHECKED
  if (y.getChk() != y.getSav())
    __builtin_trap();
#endif
  other.join();
}

int main() {
  std::thread t1(first);
  t1.join();
}
