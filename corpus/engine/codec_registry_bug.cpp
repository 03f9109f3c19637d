// heddle-corpus: std=c++17
// A registry of codecs behind a std::shared_mutex: look-ups share the lock, registration has it
// alone. Between the failed look-up and the exclusive lock another thread may register the name;
// it is not looked up again, so the same codec gets two ids.
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

class CodecRegistry {
public:
  int idOf(const std::string &name) {
    {
      std::shared_lock<std::shared_mutex> lock(mutex_);
      auto found = ids_.find(name);
      if (found != ids_.end())
        return found->second;
    }
    std::unique_lock<std::shared_mutex> lock(mutex_);
    int id = next_++;
    ids_[name] = id;
    return id;
  }

private:
  std::shared_mutex mutex_;
  std::map<std::string, int> ids_;
  int next_ = 1;
};

int main() {
  CodecRegistry registry;
  int audio = 0;
  int video = 0;
  std::thread player([&] { audio = registry.idOf("opus"); });
  std::thread recorder([&] { video = registry.idOf("opus"); });
  player.join();
  recorder.join();
  assert(audio == video); // EXPECT: assertion
}
