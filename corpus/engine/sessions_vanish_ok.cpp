// heddle-corpus: std=c++17
// A session store whose every method is locked. A request asks once, and the answer is either a
// copy of the user or nothing, so a logout comes before or after it, never in the middle.
#include <cassert>
#include <map>
#include <mutex>
#include <optional>
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
    users_.erase(id); // NORACE
  }

  std::optional<std::string> user(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto found = users_.find(id); // NORACE
    if (found == users_.end())
      return std::nullopt;
    return found->second; // NORACE
  }

private:
  std::mutex mutex_;
  std::map<int, std::string> users_;
};

static std::string greeting(Sessions &sessions, int id) {
  std::optional<std::string> user = sessions.user(id);
  return user ? "hello " + *user : "please log in";
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
