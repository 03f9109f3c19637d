// Allocation-heavy kernel: threads build and tear down word-count maps of strings and lists.
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

/// What the forced runs of the bench aim at; each thread has an element of its own.
long progress[8];

size_t countWords(unsigned seed, int words) {
  unsigned state = seed;
  auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  std::map<std::string, int> counts;
  std::list<std::string> order;
  for (int i = 0; i < words; ++i) {
    std::string word = "a-rather-long-word-number-" + std::to_string(next() % 700);
    if (++counts[word] == 1)
      order.push_back(word);
    if (order.size() > 300) {
      counts.erase(order.front());
      order.pop_front();
    }
  }
  return counts.size();
}

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
  std::vector<size_t> totals(3);
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < totals.size(); ++id)
    threads.emplace_back([&, id] {
      size_t sum = 0;
      for (int round = 0; round < rounds; ++round)
        sum += countWords(id * 1000 + static_cast<unsigned>(round), 4000), progress[id] = round;
      totals[id] = sum;
    });
  for (std::thread& thread : threads)
    thread.join();
  std::printf("%zu\n", totals[0] + totals[1] + totals[2]);
}
