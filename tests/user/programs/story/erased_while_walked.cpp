// One thread walks through a map while another one erases from it: the library follows a pointer
// that it reads from the freed node.
#include <map>
#include <mutex>
#include <thread>

std::map<int, int> prices;
std::mutex mutex;

static int sum() {
  int total = 0;
  for (auto entry = prices.begin(); entry != prices.end(); ++entry) {
    std::lock_guard<std::mutex> guard(mutex);
    total += entry->second;
  }
  return total;
}

int main() {
  for (int i = 0; i < 4; ++i)
    prices[i] = i;
  std::thread eraser([] {
    std::lock_guard<std::mutex> guard(mutex);
    prices.erase(1);
  });
  int total = sum();
  eraser.join();
  return total > 6;
}
