// A deadlock that everybody knows, and behind it a check and a use in two critical sections.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex one, other, shop;
static int stock = 3;

static void legacyForth() {
  std::lock_guard first(one);
  std::lock_guard second(other);
}

static void legacyBack() {
  std::lock_guard first(other);
  std::lock_guard second(one);
}

static int left() {
  std::lock_guard lock(shop);
  return stock;
}

static void sell() {
  std::lock_guard lock(shop);
  --stock;
  assert(stock >= 0); // sold out
}

static void buy(int times) {
  for (int i = 0; i < times; ++i)
    if (left() > 0)
      sell();
}

int main() {
  std::thread customer([] {
    legacyForth();
    buy(2);
  });
  std::thread friendOfHis([] {
    legacyBack();
    buy(2);
  });
  customer.join();
  friendOfHis.join();
}
