// heddle-corpus: flags=-ltbb
// oneTBB's containers, used by threads of the program's own: a hash map with accessors, a vector
// that grows, a queue and a bounded queue.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <oneapi/tbb/concurrent_hash_map.h>
#include <oneapi/tbb/concurrent_queue.h>
#include <oneapi/tbb/concurrent_vector.h>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 10000;
  tbb::concurrent_hash_map<int, long> counts;
  tbb::concurrent_vector<int> journal;
  tbb::concurrent_queue<int> queue;
  tbb::concurrent_bounded_queue<int> bounded;
  bounded.set_capacity(16);
  std::atomic<long> taken{0};
  std::vector<std::thread> threads;
  for (int self = 0; self < 2; ++self)
    threads.emplace_back([&, self] {
      for (int i = 0; i < rounds; ++i) {
        {
          tbb::concurrent_hash_map<int, long>::accessor place;
          counts.insert(place, i % 13);
          ++place->second;
        }
        if (i % 16 == 0)
          journal.push_back(i);
        queue.push(i);
        int item;
        if (queue.try_pop(item))
          ++taken;
        if (self == 0)
          bounded.push(i);
      }
    });
  long sum = 0;
  for (int i = 0; i < rounds; ++i) {
    int item;
    bounded.pop(item);
    sum += item;
  }
  for (std::thread& thread : threads)
    thread.join();
  int item;
  while (queue.try_pop(item))
    ++taken;
  long all = 0;
  for (const auto& [key, count] : counts)
    all += count;
  assert(all == 2L * rounds && taken == 2L * rounds);
  assert(sum == (long)rounds * (rounds - 1) / 2);
  assert(journal.size() == 2u * ((rounds + 15) / 16));
}
