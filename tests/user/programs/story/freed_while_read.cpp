// A list of listeners: who changes it takes the lock, who walks through it does not. The walk goes
// on in memory that a change has freed.
#include <mutex>
#include <thread>
#include <vector>

class Listeners {
public:
  void add(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    ids_.push_back(id);
  }
  int sum() const {
    int sum = 0;
    for (int id : ids_) // no lock
      sum += id;
    return sum;
  }

private:
  mutable std::mutex mutex_;
  std::vector<int> ids_;
};

int main() {
  Listeners listeners;
  listeners.add(1);
  std::thread walker([&] { (void)listeners.sum(); });
  std::thread changer([&] {
    listeners.add(2);
    listeners.add(3);
  });
  walker.join();
  changer.join();
}
