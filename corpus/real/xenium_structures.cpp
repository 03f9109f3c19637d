// xenium's queues and hash map with three of its reclamation schemes, each with the threads of a
// small pipeline.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>
#include <vector>
#include <xenium/harris_michael_hash_map.hpp>
#include <xenium/michael_scott_queue.hpp>
#include <xenium/ramalhete_queue.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>
#include <xenium/reclamation/lock_free_ref_count.hpp>
#include <xenium/vyukov_bounded_queue.hpp>

namespace {

using Hazards = xenium::reclamation::hazard_pointer<>::with<
    xenium::policy::allocation_strategy<xenium::reclamation::hp_allocation::static_strategy<3>>>;
using Epochs = xenium::reclamation::epoch_based<>;

using First = xenium::michael_scott_queue<int, xenium::policy::reclaimer<Hazards>>;
using Second = xenium::ramalhete_queue<int*, xenium::policy::reclaimer<Epochs>>;
using Map = xenium::harris_michael_hash_map<int, int, xenium::policy::reclaimer<Epochs>,
                                            xenium::policy::buckets<16>>;

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 8000;
  First first;
  Second second;
  Map map;
  xenium::vyukov_bounded_queue<int> bounded(16);
  std::vector<int> items(rounds);
  std::atomic<int> inserted{0};

  std::thread producer([&] {
    for (int i = 0; i < rounds; ++i)
      first.push(i);
  });
  std::thread middle([&] {
    for (int i = 0; i < rounds; ++i) {
      int item;
      while (!first.try_pop(item))
        std::this_thread::yield();
      assert(item == i);
      items[i] = 3 * item;
      second.push(&items[i]);
      if (map.emplace(i % 50, i))
        ++inserted;
      if (i % 3 == 0 && map.erase(i % 50))
        --inserted;
    }
  });
  std::thread last([&] {
    for (int i = 0; i < rounds; ++i) {
      int* item;
      while (!second.try_pop(item))
        std::this_thread::yield();
      assert(*item == 3 * i);
      if (map.erase((i + 7) % 50))
        --inserted;
      while (!bounded.try_push(*item))
        std::this_thread::yield();
    }
  });
  long sum = 0;
  for (int i = 0; i < rounds; ++i) {
    int item;
    while (!bounded.try_pop(item))
      std::this_thread::yield();
    sum += item;
  }
  producer.join();
  middle.join();
  last.join();
  assert(sum == 3L * rounds * (rounds - 1) / 2);
  int left = 0;
  for (int key = 0; key < 50; ++key)
    left += map.erase(key);
  assert(left == inserted);
}
