// A session with an access token, the time when it expires, and a refresh token that the server
// accepts once; a second use revokes the session. A request that finds the token expired renews it.
// Two requests can both find it expired, and the second one gets the session revoked.
#include <cassert>
#include <mutex>
#include <thread>

struct Tokens {
  int access;
  int refresh;
  int expiry;
};

class Server {
public:
  Tokens renew(int refresh) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (refresh != valid_)
      return {0, 0, 0};
    valid_ = refresh + 1;
    return {refresh + 1000, refresh + 1, 60};
  }

private:
  std::mutex mutex_;
  int valid_ = 7;
};

class Session {
public:
  explicit Session(Server &server) : server_(server) {}

  void ensureFresh(int now) {
    int refresh;
    {
      std::lock_guard<std::mutex> guard(mutex_);
      if (now < expiry_) // VIOLATION: renew/1 first
        return;
      refresh = refresh_; // VIOLATION: renew/1 first
    }
    Tokens tokens = server_.renew(refresh);
    std::lock_guard<std::mutex> guard(mutex_);
    access_ = tokens.access;
    refresh_ = tokens.refresh; // VIOLATION: renew/1 second // VIOLATION: renew/1 intruder
    expiry_ = tokens.expiry; // VIOLATION: renew/1 second // VIOLATION: renew/1 intruder
  }

  bool isRevoked() {
    std::lock_guard<std::mutex> guard(mutex_);
    return access_ == 0;
  }

private:
  Server &server_;
  std::mutex mutex_;
  int access_ = 1006;
  int refresh_ = 7;
  int expiry_ = 20;
};

int main() {
  Server server;
  Session session(server);
  std::thread upload([&] { session.ensureFresh(25); });
  std::thread download([&] { session.ensureFresh(25); });
  upload.join();
  download.join();
  assert(!session.isRevoked()); // EXPECT: assertion
}
