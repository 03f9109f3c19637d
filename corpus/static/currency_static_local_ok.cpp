// Exchange rates that are filled at the first use, as a static local variable: the language has the
// first caller initialise it and the others wait.
#include <array>
#include <thread>
#include <vector>

class Rates {
public:
  Rates() = default;
  explicit Rates(int base) { fill(base); }

  void fill(int base) {
    for (std::size_t i = 0; i < rates_.size(); ++i)
      rates_[i] = base + static_cast<int>(i); // NORACE
  }

  int rate(std::size_t currency) const { return rates_[currency]; } // NORACE

private:
  std::array<int, 4> rates_{};
};

static const Rates &rates() {
  static const Rates instance(100);
  return instance;
}

static int convert(int amount, std::size_t currency) {
  static const int fee = 2;
  return amount * rates().rate(currency) - fee; // NORACE
}

int main() {
  std::vector<int> results(2);
  std::thread first([&results] { results[0] = convert(2, 0); });  // NORACE
  std::thread second([&results] { results[1] = convert(2, 1); }); // NORACE
  first.join();
  second.join();
  return results[0] == 198 && results[1] == 200 ? 0 : 1; // NORACE
}
