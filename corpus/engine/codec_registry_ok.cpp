// heddle-corpus: std=c++17
// A registry of codecs behind a std::shared_mutex: look-ups share the lock, registration has it
// alone. Registration looks the name up again under the exclusive lock, so a codec gets one id.
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
      auto found = ids_.find(name); // NORACE
      if (found != ids_.end())
        return found->second;
    }
    std::unique_lock<std::shared_mutex> lock(mutex_);
    auto [entry, isNew] = ids_.try_emplace(name, next_); // NORACE
    if (isNew)
      ++next_;
    return entry->second;
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
  assert(audio == video);
}
