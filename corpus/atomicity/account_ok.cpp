// heddle-corpus: long=-DSTEPS=1000
// The bank account of Lai, Cheung and Chan (ICSE 2010, figures 1 and 5). Every method is
// synchronized, and the copy constructor keeps the lock of the account that it copies, so that
// both balances are from before the interest or from after it. isLegal reads the balances apart,
// and cannot be disturbed: the other thread starts after it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifndef STEPS
#define STEPS 0 // unrelated steps in the window
#endif

class Log {
public:
  void write(int steps) {
    for (int i = 0; i < steps; ++i)
      lines_.fetch_add(1);
  }

private:
  std::atomic<int> lines_{0};
};

static Log firstLog, secondLog;

class Account {
public:
  Account(double checking, double savings) {
    setChecking(checking);
    setSavings(savings);
  }

  Account(const Account &account) {
    std::lock_guard<std::recursive_mutex> guard(account.mutex_);
    setEqualChecking(account);
    firstLog.write(STEPS);
    setEqualSavings(account);
  }

  bool isLegal() const {
    return getChecking() >= 0 && getSavings() >= 0; // NOVIOLATION
  }

  void creditInterest(double rate) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    setChecking(getChecking() * (1.0 + rate));
    setSavings(getSavings() * (1.0 + rate));
  }

  void setEqualChecking(const Account &account) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    setChecking(account.getChecking());
  }

  void setEqualSavings(const Account &account) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    setSavings(account.getSavings());
  }

  double getChecking() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return checking_; // NOVIOLATION
  }

  double getSavings() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return savings_; // NOVIOLATION
  }

  void setChecking(double checking) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    checking_ = checking; // NOVIOLATION
  }

  void setSavings(double savings) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    savings_ = savings; // NOVIOLATION
  }

private:
  mutable std::recursive_mutex mutex_;
  double checking_ = 0;
  double savings_ = 0;
};

int main() {
  Account x(100, 200);
  std::thread first([&] {
    if (!x.isLegal())
      return;
    std::thread second([&] {
      secondLog.write(3 + STEPS);
      x.creditInterest(0.5);
    });
    firstLog.write(STEPS + STEPS / 16);
    Account y(x);
    firstLog.write(3);
    second.join();
    assert(y.getSavings() == 2 * y.getChecking());
  });
  first.join();
}
