// heddle-corpus: std=c++17
// A table of connections behind a mutex. find() returns a shared pointer, so a connection that the
// reaper closes lives on until the sender has finished with it.
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

struct Connection {
  int bytesSent = 0;
};

class ConnectionTable {
public:
  void open(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    connections_[id] = std::make_shared<Connection>();
  }

  std::shared_ptr<Connection> find(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto found = connections_.find(id); // NORACE
    return found == connections_.end() ? nullptr : found->second;
  }

  void close(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    connections_.erase(id); // NORACE
  }

private:
  std::mutex mutex_;
  std::map<int, std::shared_ptr<Connection>> connections_;
};

static void sendTo(ConnectionTable &table, int id) {
  if (std::shared_ptr<Connection> connection = table.find(id))
    connection->bytesSent += 512; // NORACE
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
