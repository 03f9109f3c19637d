// heddle-corpus: std=c++17
// A table of connections behind a mutex. find() returns a plain pointer that the sender uses after
// the mutex is released, while the reaper closes and deletes the connection: a use after free.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

struct Connection {
  int bytesSent = 0;
};

class ConnectionTable {
public:
  void open(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    connections_[id] = new Connection;
  }

  Connection *find(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto found = connections_.find(id);
    return found == connections_.end() ? nullptr : found->second;
  }

  void close(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto found = connections_.find(id);
    delete found->second; // RACE!
    connections_.erase(found);
  }

private:
  std::mutex mutex_;
  std::map<int, Connection *> connections_;
};

static void sendTo(ConnectionTable &table, int id) {
  if (Connection *connection = table.find(id))
    connection->bytesSent += 512; // EXPECT: memory-error // RACE!
}

int main() {
  ConnectionTable table;
  table.open(7);
  std::thread sender([&] { sendTo(table, 7); });
  std::thread reaper([&] { table.close(7); });
  sender.join();
  reaper.join();
  assert(!table.find(7));
}
