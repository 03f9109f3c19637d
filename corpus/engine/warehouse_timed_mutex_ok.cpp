// Stock moves between two warehouses, each with a timed mutex; a timeout avoids the deadlock of
// opposite moves. Both mutexes are held by lock objects, so a move that gives up releases the
// first.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

struct Warehouse {
  std::timed_mutex mutex;
  int pallets = 10;
};

static bool moveStock(Warehouse &from, Warehouse &to, int count) {
  std::unique_lock<std::timed_mutex> fromLock(from.mutex);
  auto deadline = std::chrono::system_clock::now() + std::chrono::milliseconds(1);
  std::unique_lock<std::timed_mutex> toLock(to.mutex, deadline);
  if (!toLock.owns_lock())
    return false;
  from.pallets -= count; // NORACE
  to.pallets += count;   // NORACE
  return true;
}

int main() {
  Warehouse north;
  Warehouse south;
  std::thread southbound([&] { moveStock(north, south, 3); });
  std::thread northbound([&] { moveStock(south, north, 4); });
  southbound.join();
  northbound.join();

  north.mutex.lock();
  south.mutex.lock();
  assert(north.pallets + south.pallets == 20);
  south.mutex.unlock();
  north.mutex.unlock();
}
