// HEDDLE_TESTs beside a TEST. SET_UP_LOG names a file that gets a line for each set-up.
#include <heddle/test.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

void log(const char* line) {
  const char* name = getenv("SET_UP_LOG");
  if (FILE* file = name ? fopen(name, "a") : nullptr) {
    fprintf(file, "%s\n", line);
    fclose(file);
  }
}

class Counters : public testing::Test {
protected:
  void SetUp() override {
    log("set-up");
    values.resize(2);
  }
  void countTwice(bool together) {
    auto count = [this, together] {
      if (together)
        __atomic_fetch_add(&values[0], 1, __ATOMIC_SEQ_CST);
      else
        values[0] = values[0] + 1;
    };
    std::thread first(count), second(count);
    first.join();
    second.join();
  }
  std::vector<int> values;
};

} // namespace

HEDDLE_TEST_F(Counters, Lost) {
  countTwice(false);
  EXPECT_EQ(values[0], 2);
}

HEDDLE_TEST_F(Counters, Kept) {
  countTwice(true);
  EXPECT_EQ(values[0], 2);
}

TEST_F(Counters, LostToo) {
  countTwice(false);
  EXPECT_EQ(values[0], 2);
}

HEDDLE_TEST(Plain, Passes) {
  int value = 0;
  std::thread other([&] { value = 1; });
  other.join();
  ASSERT_EQ(value, 1);
}

class Refuses : public testing::Test {
protected:
  void SetUp() override {
    if (getenv("REFUSE"))
      throw std::runtime_error("no set-up today"); // refused
  }
};

HEDDLE_TEST_F(Refuses, ToSetUp) {}

TEST(Plain, StandsBesideIt) { EXPECT_FALSE(HasFailure()); }
