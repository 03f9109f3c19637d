// A routing table that is read without locks (read-copy-update): readers announce the grace period
// in which they entered, a writer publishes a new copy, waits until every reader has left or has
// entered later, and only then deletes the old one.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kReaders = 3;

struct Table {
  int version;
  int routes[8];
};

class Rcu {
public:
  void enter(int reader) { slots_[reader].period.store(period_.load()); }
  void leave(int reader) { slots_[reader].period.store(0, std::memory_order_release); }

  void waitForReaders() {
    long next = period_.fetch_add(1) + 1;
    for (Slot& slot : slots_) {
      for (;;) {
        long seen = slot.period.load();
        if (seen == 0 || seen >= next)
          break;
        std::this_thread::yield();
      }
    }
  }

private:
  struct alignas(64) Slot {
    std::atomic<long> period{0};
  };
  std::atomic<long> period_{1};
  Slot slots_[kReaders];
};

class Routes {
public:
  Routes() : table_(new Table{}) {}
  ~Routes() { delete table_.load(); }

  int look(int reader, int key) {
    rcu_.enter(reader);
    const Table* table = table_.load();
    int route = table->routes[key % 8];
    assert(route == table->version * 8 + key % 8 || table->version == 0);
    rcu_.leave(reader);
    return route;
  }

  void change() {
    std::lock_guard<std::mutex> guard(writers_);
    Table* old = table_.load();
    Table* fresh = new Table(*old);
    ++fresh->version;
    for (int i = 0; i < 8; ++i)
      fresh->routes[i] = fresh->version * 8 + i;
    table_.store(fresh);
    rcu_.waitForReaders();
    old->version = -1;
    delete old;
  }

  int version() const { return table_.load()->version; }

private:
  std::mutex writers_;
  std::atomic<Table*> table_;
  Rcu rcu_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 60000;
  int changes = rounds / 20 + 1;
  Routes routes;
  std::vector<std::thread> threads;
  for (int reader = 0; reader < kReaders; ++reader)
    threads.emplace_back([&, reader] {
      int last = 0;
      for (int i = 0; i < rounds; ++i) {
        int route = routes.look(reader, 3);
        assert(route >= last);
        last = route;
      }
    });
  threads.emplace_back([&] {
    for (int i = 0; i < changes; ++i)
      routes.change();
  });
  for (std::thread& thread : threads)
    thread.join();
  assert(routes.version() == changes);
}
