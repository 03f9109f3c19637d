// Exchange rates that are filled at the first use. A plain flag says whether they are filled; two
// callers can find it false, and one can find it true and read rates that are still being filled.
#include <array>
#include <thread>
#include <vector>

class Rates {
public:
  Rates() = default;
  explicit Rates(int base) { fill(base); }

  void fill(int base) {
    for (std::size_t i = 0; i < rates_.size(); ++i)
      rates_[i] = base + static_cast<int>(i); // RACE!
  }

  int rate(std::size_t currency) const { return rates_[currency]; } // RACE!

private:
  std::array<int, 4> rates_{};
};

static bool filled = false;

static const Rates &rates() {
  static Rates instance;
  if (!filled) { // RACE!
    instance.fill(100);
    filled = true; // RACE!
  }
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
  return results[0] <= 198 && results[1] <= 200 ? 0 : 1; // NORACE
}
