// heddle-corpus: std=c++17
// Three dining philosophers, each of whom takes the left fork and then the right one. When all of
// them hold their left fork, nobody ever gets a right one.
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
    std::lock_guard<std::mutex> first(left);
    std::lock_guard<std::mutex> second(right); // EXPECT: deadlock
    meals_.fetch_add(1);
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
