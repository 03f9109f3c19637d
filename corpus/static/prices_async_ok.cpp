// Prices of two suppliers that are asked with std::async. get() waits for the task, and both prices
// are read after it.
#include <future>
#include <vector>

struct Offer {
  int supplier = 0;
  int price = 0;
  int days = 0;
};

static void ask(Offer &offer, int supplier) {
  offer.supplier = supplier;        // NORACE
  offer.days = 2 + supplier;        // NORACE
  offer.price = 100 - 5 * supplier; // NORACE
}

static int lowestPrice(const Offer &left, const Offer &right) {
  return left.price < right.price ? left.price : right.price; // NORACE
}

int main() {
  Offer first, second;
  std::future<int> firstAnswer = std::async(std::launch::async, [&first] {
    ask(first, 1);
    return 1;
  });
  std::future<int> secondAnswer = std::async(std::launch::async, [&second] {
    ask(second, 2);
    return 2;
  });
  int answers = firstAnswer.get();
  int days = first.days; // NORACE
  answers += secondAnswer.get();
  int price = lowestPrice(first, second);
  days += second.days; // NORACE
  return answers == 3 && days == 7 && price == 90 ? 0 : 1;
}
