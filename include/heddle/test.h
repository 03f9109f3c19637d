/* Tests beside GoogleTest's TEST and TEST_F that are written to be explored.
 *
 *   HEDDLE_TEST(Suite, Name) { ... }       like TEST
 *   HEDDLE_TEST_F(Fixture, Name) { ... }   like TEST_F
 *
 * Without heddle, or when the program is run directly, each is an ordinary test that runs once, and
 * stands beside others of its suite. `heddle check` and `heddle races` explore its interleavings.
 * Over TEST it says two things:
 *
 *   - These are the tests to explore: in a program that has any, `heddle check` gives them all of
 *     the budget and skips the others (--gtest=all takes all, and a filter can name others).
 *   - Runs begin at the test's body. What stands before it (main, the fixture, environments) must
 *     not depend on the interleaving and is not repeated for every run, as with HEDDLE_READY().
 *
 * For C++; nothing to link but GoogleTest itself (tested with 1.12).
 */
#ifndef HEDDLE_TEST_H
#define HEDDLE_TEST_H

#include <heddle/heddle.h>

#include <gtest/gtest.h>

namespace heddle {

/* A fixture after whose set-up runs begin. */
template <typename Fixture> class Prepared : public Fixture {
protected:
  void SetUp() override {
    Fixture::SetUp();
    if (heddle_ready)
      heddle_ready();
  }
};

} // namespace heddle

/* Leaves the test's name where heddle finds it without running the program. */
#ifdef __HEDDLE__
#define HEDDLE_NAME_TEST(suite, name)                                                              \
  __attribute__((section("heddle_tests"), used,                                                    \
                 retain)) static const char heddle_test_##suite##_##name[] = #suite "." #name;
#else
#define HEDDLE_NAME_TEST(suite, name)
#endif

#define HEDDLE_TEST(suite, name)                                                                   \
  HEDDLE_NAME_TEST(suite, name)                                                                    \
  GTEST_TEST_(suite, name, ::heddle::Prepared<::testing::Test>,                                    \
              ::testing::internal::GetTestTypeId())

#define HEDDLE_TEST_F(fixture, name)                                                               \
  HEDDLE_NAME_TEST(fixture, name)                                                                  \
  GTEST_TEST_(fixture, name, ::heddle::Prepared<fixture>, ::testing::internal::GetTypeId<fixture>())

#endif
