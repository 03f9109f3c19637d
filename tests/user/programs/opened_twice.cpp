// Who finds no session opens one: two requests of one user open two. The pairs that the static
// analysis can not exclude are forced first, and the failure shows while they are.
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Backend {
public:
  int open(const std::string& user) {
    std::lock_guard lock(mutex_);
    ++open_[user];
    return ++next_;
  }
  int count(const std::string& user) {
    std::lock_guard lock(mutex_);
    return open_[user];
  }

private:
  std::mutex mutex_;
  std::map<std::string, int> open_;
  int next_ = 0;
};

struct Session {
  std::string user;
  int backend;
};

class Sessions {
public:
  explicit Sessions(Backend& backend) : backend_(backend) {}
  std::shared_ptr<Session> get(const std::string& user) {
    if (auto known = find(user))
      return known;
    auto opened = std::make_shared<Session>(Session{user, backend_.open(user)});
    store(user, opened);
    return opened;
  }

private:
  std::shared_ptr<Session> find(const std::string& user) {
    std::lock_guard lock(mutex_);
    auto place = sessions_.find(user);
    return place == sessions_.end() ? nullptr : place->second;
  }
  void store(const std::string& user, std::shared_ptr<Session> session) {
    std::lock_guard lock(mutex_);
    sessions_[user] = std::move(session);
  }
  Backend& backend_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Session>> sessions_;
};

int main() {
  Backend backend;
  Sessions sessions(backend);
  std::vector<std::thread> threads;
  for (const char* user : {"ann", "bob", "ann"})
    threads.emplace_back([&, user] {
      auto session = sessions.get(user);
      assert(session->user == user);
    });
  for (std::thread& thread : threads)
    thread.join();
  return backend.count("ann") == 1 ? 0 : 3;
}
