// Tests of every kind that GoogleTest has, for an account that loses money and one that does not.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

class Account {
public:
  long balance() {
    std::lock_guard<std::mutex> guard(mutex_);
    return balance_;
  }
  void set(long value) {
    std::lock_guard<std::mutex> guard(mutex_);
    balance_ = value;
  }
  void payTogether(long amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    balance_ -= amount;
  }

private:
  std::mutex mutex_;
  long balance_ = 100;
};

/// Two threads that each pay 10; `lost` loses one of the payments sometimes.
long payTwice(bool lost) {
  Account account;
  auto pay = [&] {
    if (lost)
      account.set(account.balance() - 10);
    else
      account.payTogether(10);
  };
  std::thread first(pay), second(pay);
  first.join();
  second.join();
  return account.balance();
}

int counter;
void count() { ++counter; } // race

void countTwice() {
  std::thread first(count), second(count);
  first.join();
  second.join();
}

} // namespace

TEST(Bank, LosesMoney) {
  EXPECT_EQ(payTwice(true), 80) << "a payment was lost"; // expect
}

TEST(Bank, KeepsMoney) { EXPECT_EQ(payTwice(false), 80); }

TEST(Bank, Throws) {
  if (payTwice(true) != 80)
    throw std::runtime_error("a payment was lost"); // throw
}

TEST(Bank, HasOneThread) { EXPECT_EQ(Account().balance(), 100); }

TEST(Bank, DISABLED_IsNotRun) { abort(); }

TEST(Bank, SkipsItself) { GTEST_SKIP(); }

// Passes, although an expectation fails.
TEST(Bank, ExpectsAFailure) {
  EXPECT_NONFATAL_FAILURE(EXPECT_EQ(1, 2), "equality");
  EXPECT_EQ(payTwice(true), 80); // goes on
}

TEST(BankDeathTest, Dies) { EXPECT_DEATH(abort(), ""); }

TEST(Races, InOneTest) { countTwice(); }
TEST(Races, InAnotherTest) { countTwice(); }

class Amounts : public testing::TestWithParam<bool> {};
TEST_P(Amounts, Add) { EXPECT_EQ(payTwice(GetParam()), 80); }
INSTANTIATE_TEST_SUITE_P(Both, Amounts, testing::Bool());

template <typename T> class Typed : public testing::Test {};
using Types = testing::Types<int, long>;
TYPED_TEST_SUITE(Typed, Types);
TYPED_TEST(Typed, Works) {
  TypeParam paid = 0;
  std::thread other([&] { paid = 10; });
  other.join();
  EXPECT_EQ(paid, 10);
}
