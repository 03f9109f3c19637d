#include "shop.h"

#include <heddle/test.h>

#include <gtest/gtest.h>

#include <thread>

TEST(Shop, SellsWhatItHas) {
  Shop shop;
  shop.stock("lamp", 1);
  EXPECT_TRUE(shop.buy("lamp"));
  EXPECT_FALSE(shop.buy("lamp"));
}

/// A shop with one lamp.
class OneLamp : public testing::Test {
protected:
  void SetUp() override { shop.stock("lamp", 1); }
  Shop shop;
};

HEDDLE_TEST_F(OneLamp, IsSoldOnce) {
  std::thread ada([&] { shop.buy("lamp"); });
  std::thread bob([&] { shop.buy("lamp"); });
  ada.join();
  bob.join();
  EXPECT_EQ(shop.left("lamp"), 0);
}

HEDDLE_TEST_F(OneLamp, ComesBack) {
  std::thread ada([&] { shop.giveBack("lamp"); });
  std::thread bob([&] { shop.giveBack("lamp"); });
  ada.join();
  bob.join();
  EXPECT_EQ(shop.left("lamp"), 3);
}
