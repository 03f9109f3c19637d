// heddle-corpus: std=c++17
// A session store whose every method is locked. A request asks whether the session exists and then
// for its user; a logout in between removes it, and the exception that says so is not caught.
#include <cassert>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

class Sessions {
public:
  void open(int id, std::string user) {
    std::lock_guard<std::mutex> guard(mutex_);
    users_[id] = std::move(user);
  }

  void close(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    users_.erase(id);
  }

  bool contains(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    return users_.count(id) != 0;
  }

  std::string user(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto found = users_.find(id);
    if (found == users_.end())
      throw std::out_of_range("no such session"); // EXPECT: exception
    return found->second;
  }

private:
  std::mutex mutex_;
  std::map<int, std::string> users_;
};

static std::string greeting(Sessions &sessions, int id) {
  if (!sessions.contains(id))
    return "please log in";
  return "hello " + sessions.user(id);
}

int main() {
  Sessions sessions;
  sessions.open(4, "ada");
  std::string text;
  std::thread request([&] { text = greeting(sessions, 4); });
  std::thread logout([&] { sessions.close(4); });
  request.join();
  logout.join();
  assert(text == "hello ada" || text == "please log in");
}
