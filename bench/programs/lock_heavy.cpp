// Lock-heavy kernel: two threads use a cache of sessions in shards; every lookup takes the shard's
// mutex, moves the entry to the front and evicts the oldest one.
#include <cstdio>
#include <cstdlib>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

/// What the forced runs of the bench aim at; each thread has an element of its own.
long progress[8];

struct Session {
  unsigned user = 0;
  unsigned hits = 0;
};

class Shard {
public:
  unsigned touch(unsigned user) {
    std::lock_guard lock(mutex_);
    auto found = index_.find(user);
    if (found != index_.end()) {
      order_.splice(order_.begin(), order_, found->second);
      return ++found->second->hits;
    }
    if (order_.size() == kCapacity) {
      index_.erase(order_.back().user);
      order_.pop_back();
    }
    order_.push_front({user, 1});
    index_[user] = order_.begin();
    return 1;
  }

private:
  static constexpr size_t kCapacity = 64;
  std::mutex mutex_;
  std::list<Session> order_;
  std::unordered_map<unsigned, std::list<Session>::iterator> index_;
};

} // namespace

int main(int argc, char** argv) {
  long lookups = argc > 1 ? std::atol(argv[1]) : 2000000;
  std::vector<Shard> shards(8);
  std::vector<unsigned> sums(2);
  auto work = [&](unsigned id) {
    unsigned state = id * 2654435761u + 1;
    unsigned sum = 0;
    for (long i = 0; i < lookups; ++i) {
      unsigned user = (state = state * 1664525u + 1013904223u) >> 22;
      sum += shards[user % shards.size()].touch(user);
      if (i % 256 == 0)
        progress[id] = i;
    }
    sums[id] = sum;
  };
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
  std::printf("%d\n", sums[0] + sums[1] > 0);
}
