// heddle-corpus: std=c++17
// Three dining philosophers. The last one takes the forks in the opposite order, so all of them
// take the fork with the lower number first and no circle of waiting can close.
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

class Table {
public:
  static constexpr int seats = 3;
  static constexpr int rounds = 2;

  void dine(int seat) {
    std::mutex &left = forks_[seat];
    std::mutex &right = forks_[(seat + 1) % seats];
    bool isLast = seat == seats - 1;
    std::lock_guard<std::mutex> first(isLast ? right : left);
    std::lock_guard<std::mutex> second(isLast ? left : right);
    meals_.fetch_add(1); // NORACE
  }

  int meals() const { return meals_.load(); }

private:
  std::array<std::mutex, seats> forks_;
  std::atomic<int> meals_{0};
};

int main() {
  Table table;
  std::vector<std::thread> philosophers;
  for (int seat = 0; seat < Table::seats; ++seat)
    philosophers.emplace_back([&table, seat] {
      for (int round = 0; round < Table::rounds; ++round)
        table.dine(seat);
    });
  for (std::thread &philosopher : philosophers)
    philosopher.join();
  assert(table.meals() == Table::seats * Table::rounds);
}
