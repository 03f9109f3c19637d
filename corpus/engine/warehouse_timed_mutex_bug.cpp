// Stock moves between two warehouses, each with a timed mutex; a timeout is to avoid the deadlock
// of opposite moves. The path that gives up after the timeout forgets to release the first mutex,
// so after two opposite moves met, the audit waits for a mutex whose owner is gone.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

struct Warehouse {
  std::timed_mutex mutex;
  int pallets = 10;
};

static bool moveStock(Warehouse &from, Warehouse &to, int count) {
  from.mutex.lock();
  if (!to.mutex.try_lock_for(std::chrono::milliseconds(1)))
    return false;
  from.pallets -= count;
  to.pallets += count;
  to.mutex.unlock();
  from.mutex.unlock();
  return true;
}

int main() {
  Warehouse north;
  Warehouse south;
  std::thread southbound([&] { moveStock(north, south, 3); });
  std::thread northbound([&] { moveStock(south, north, 4); });
  southbound.join();
  northbound.join();

  north.mutex.lock(); // EXPECT: deadlock
  south.mutex.lock();
  assert(north.pallets + south.pallets == 20);
  south.mutex.unlock();
  north.mutex.unlock();
}
