// A lock travels in a std::unique_lock: made in one function, given back in another.
// RACY: auto lock = acquire(); // add => acquire();
// RACY: store.values.push_back(x); // done => lock.unlock(); store.values.push_back(x);
#include <mutex>
#include <thread>
#include <utility>
#include <vector>
struct Store {
  std::mutex m;
  std::vector<int> values;
} store;
std::unique_lock<std::mutex> acquire() {
  std::unique_lock<std::mutex> l(store.m);
  return l;
}
void finish(std::unique_lock<std::mutex> lock, int x) {
  store.values.push_back(x); // done
  lock.unlock();
}
void add(int x) {
  auto lock = acquire(); // add
  store.values.push_back(x);
}
void addTwo(int x) {
  auto lock = acquire();
  store.values.push_back(x);
  finish(std::move(lock), x + 1);
}
int main() {
  std::thread a([] {
    for (int i = 0; i < 5; ++i)
      add(i);
  });
  std::thread b([] {
    for (int i = 0; i < 5; ++i)
      addTwo(i);
  });
  a.join();
  b.join();
}
