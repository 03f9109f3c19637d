// A pool of two connections for three clients. A POSIX semaphore limits how many clients are
// inside, but not one at a time: two of them can find the same slot free and share a connection.
#include <atomic>
#include <cassert>
#include <semaphore.h>
#include <thread>
#include <vector>

class ConnectionPool {
public:
  ConnectionPool() { sem_init(&available_, 0, slotCount); }
  ~ConnectionPool() { sem_destroy(&available_); }

  int acquire() {
    sem_wait(&available_);
    for (int slot = 0; slot < slotCount; ++slot)
      if (!taken_[slot]) {   // RACE!
        taken_[slot] = true; // RACE!
        return slot;
      }
    assert(!"a permit without a free slot");
    return -1;
  }

  void release(int slot) {
    taken_[slot] = false; // RACE!
    sem_post(&available_);
  }

private:
  static constexpr int slotCount = 2;
  sem_t available_;
  bool taken_[slotCount] = {};
};

static std::atomic<int> users[2];

static void query(ConnectionPool &pool) {
  int slot = pool.acquire();
  int others = users[slot].fetch_add(1);
  assert(others == 0); // EXPECT: assertion
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
