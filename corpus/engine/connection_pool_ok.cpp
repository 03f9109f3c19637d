// A pool of two connections for three clients. A POSIX semaphore limits how many clients are
// inside, and a mutex lets one at a time choose or give back a slot.
#include <atomic>
#include <cassert>
#include <mutex>
#include <semaphore.h>
#include <thread>
#include <vector>

class ConnectionPool {
public:
  ConnectionPool() { sem_init(&available_, 0, slotCount); }
  ~ConnectionPool() { sem_destroy(&available_); }

  int acquire() {
    sem_wait(&available_);
    std::lock_guard<std::mutex> guard(slotsMutex_);
    for (int slot = 0; slot < slotCount; ++slot)
      if (!taken_[slot]) {   // NORACE
        taken_[slot] = true; // NORACE
        return slot;
      }
    assert(!"a permit without a free slot");
    return -1;
  }

  void release(int slot) {
    {
      std::lock_guard<std::mutex> guard(slotsMutex_);
      taken_[slot] = false; // NORACE
    }
    sem_post(&available_);
  }

private:
  static constexpr int slotCount = 2;
  sem_t available_;
  std::mutex slotsMutex_;
  bool taken_[slotCount] = {};
};

static std::atomic<int> users[2];

static void query(ConnectionPool &pool) {
  int slot = pool.acquire();
  int others = users[slot].fetch_add(1);
  assert(others == 0);
  users[slot].fetch_sub(1);
  pool.release(slot);
}

int main() {
  ConnectionPool pool;
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i)
    clients.emplace_back([&] { query(pool); });
  for (std::thread &client : clients)
    client.join();
}
