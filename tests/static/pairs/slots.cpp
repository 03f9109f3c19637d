// Each thread has the element of the round that created it.
// RACY: values[i] = 1; => values[i] = 1; values[rand() % 4] = 2;
// RACY: // twice => threads.emplace_back([&values, i] { values[i] = 3; });
// RACY: // again => fill(values, threads);
// RACY: // behind => values[i] = 4;
#include <cstdlib>
#include <thread>
#include <vector>

static void fill(std::vector<int>& values, std::vector<std::thread>& threads) {
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&values, i] { values[i] = 1; });
    // twice
    // behind
  }
}

int main() {
  std::vector<int> values(4);
  std::vector<std::thread> threads;
  fill(values, threads);
  // again
  for (std::thread& thread : threads)
    thread.join();
  return values[0];
}
