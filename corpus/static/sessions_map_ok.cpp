// Sessions in a map, with a lock for the map and one in each session. The search for idle sessions
// holds the lock of the map and takes that of each session to read it.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

class Session {
public:
  void touch(int now) {
    std::lock_guard<std::mutex> guard(mutex_);
    lastUse_ = now; // NORACE
    ++requests_;    // NORACE
  }

  bool idle(int now) const {
    std::lock_guard<std::mutex> guard(mutex_);
    return now - lastUse_ > 100; // NORACE
  }

  int requests() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return requests_; // NORACE
  }

private:
  mutable std::mutex mutex_;
  int lastUse_ = 0;
  int requests_ = 0;
};

class Sessions {
public:
  std::shared_ptr<Session> open(const std::string &user) {
    std::lock_guard<std::mutex> guard(mutex_);
    std::shared_ptr<Session> &session = sessions_[user]; // NORACE
    if (!session)                                        // NORACE
      session = std::make_shared<Session>();             // NORACE
    return session;
  }

  int countIdle(int now) {
    std::lock_guard<std::mutex> guard(mutex_);
    int idle = 0;
    for (const auto &[user, session] : sessions_) // NORACE
      idle += session->idle(now) ? 1 : 0;
    return idle;
  }

private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Session>> sessions_;
};

static void serve(Sessions &sessions, const std::string &user) {
  for (int now = 1; now <= 5; ++now)
    sessions.open(user)->touch(now);
}

int main() {
  Sessions sessions;
  std::thread first([&] { serve(sessions, "ada"); });
  std::thread second([&] { serve(sessions, "alan"); });
  int idle = sessions.countIdle(50);
  first.join();
  second.join();
  return idle == 0 && sessions.open("ada")->requests() == 5 ? 0 : 1;
}
