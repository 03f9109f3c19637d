// The connection manager of JdbF, after figure 2 of Naik, Aiken and Whaley, "Effective Static Race
// Detection for Java" (PLDI 2006), as an open program: there is no main, and insert and erase may
// be called on a shared Database by any threads. The map of the sources is synchronised, so looking
// one up is safe; what was found is used without a lock, and two threads can get the same
// connection.
//
// Expected is ConnectionSource::used_, in these six pairs. Every path goes on through
// ConnectionManager::getConnection to ConnectionSource::getConnection, and no lock is held at its
// end.
//   insert, insert: read of used_, write of used_
//   insert, insert: write of used_, write of used_
//   insert, erase: read of used_, write of used_ (in both directions)
//   insert, erase: write of used_, write of used_
//   erase, erase: read of used_, write of used_
//   erase, erase: write of used_, write of used_
//
// Not expected: connection_, which only the constructor writes; the map, which is always accessed
// under its mutex; the constructors.
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

class Connection;

// Not part of this program.
int execute(Connection &connection, const std::string &statement);

class SqlError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class MappingError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// A connection, for one database operation at a time.
class ConnectionSource {
public:
  explicit ConnectionSource(Connection *connection) : connection_(connection) {}

  Connection &getConnection() {
    if (!used_) {          // RACE!
      used_ = true;        // RACE!
      return *connection_; // NORACE
    }
    throw SqlError("connection is in use");
  }

private:
  Connection *connection_;
  bool used_ = false;
};

// A map whose operations are synchronised one by one.
class SynchronizedMap {
public:
  void put(const std::string &key, ConnectionSource *value) {
    std::lock_guard<std::mutex> guard(mutex_);
    entries_[key] = value; // NORACE
  }

  ConnectionSource *get(const std::string &key) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto found = entries_.find(key);                          // NORACE
    return found == entries_.end() ? nullptr : found->second; // NORACE
  }

private:
  std::mutex mutex_;
  std::map<std::string, ConnectionSource *> entries_;
};

class ConnectionManager {
public:
  void add(const std::string &name, Connection *connection) {
    connections_.put(name, new ConnectionSource(connection));
  }

  Connection &getConnection(const std::string &name) {
    try {
      if (ConnectionSource *source = connections_.get(name))
        return source->getConnection();
    } catch (const SqlError &error) {
      throw MappingError(error.what());
    }
    throw MappingError("no connection of this name");
  }

private:
  SynchronizedMap connections_;
};

class Database {
public:
  explicit Database(Connection *connection);
  int insert(const std::string &row);
  int erase(const std::string &row);

private:
  ConnectionManager manager_;
};

Database::Database(Connection *connection) { manager_.add("default", connection); }

int Database::insert(const std::string &row) {
  Connection &connection = manager_.getConnection("default");
  return execute(connection, "insert " + row);
}

int Database::erase(const std::string &row) {
  Connection &connection = manager_.getConnection("default");
  return execute(connection, "delete " + row);
}
