// Look under a shared lock, and if it is not there take the lock again exclusively and look again:
// the upgrade that std::shared_mutex allows. Entries that are old are removed in the same way.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

class Sessions {
public:
  std::size_t touch(int user) {
    {
      std::shared_lock lock(mutex_);
      auto found = sessions_.find(user);
      if (found != sessions_.end())
        return found->second.size();
    }
    std::unique_lock lock(mutex_);
    auto [place, fresh] = sessions_.try_emplace(user);
    if (fresh) {
      place->second = "session " + std::to_string(user);
      ++opened_;
    }
    return place->second.size();
  }

  bool drop(int user) {
    {
      std::shared_lock lock(mutex_);
      if (!sessions_.count(user))
        return false;
    }
    std::unique_lock lock(mutex_);
    std::size_t dropped = sessions_.erase(user);
    closed_ += dropped;
    return dropped > 0;
  }

  bool isBalanced() const { return opened_ - closed_ == (long)sessions_.size(); }

private:
  std::shared_mutex mutex_;
  std::unordered_map<int, std::string> sessions_;
  long opened_ = 0, closed_ = 0;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  Sessions sessions;
  std::vector<std::thread> threads;
  for (int self = 0; self < 3; ++self)
    threads.emplace_back([&, self] {
      for (int i = 0; i < rounds; ++i) {
        std::size_t length = sessions.touch(i % 20);
        assert(length >= 9 && length <= 10);
        if (i % 16 == self)
          sessions.drop(i % 20);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  assert(sessions.isBalanced());
}
