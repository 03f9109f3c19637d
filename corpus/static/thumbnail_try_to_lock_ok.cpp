// A cache of thumbnails that a viewer looks into only if nobody else is in it. The lookup and the
// store both test whether they have the lock, in two ways.
#include <array>
#include <mutex>
#include <thread>

class ThumbnailCache {
public:
  int find(int image) {
    std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock)
      return 0;
    ++lookups_; // NORACE
    for (const Entry &entry : entries_)
      if (entry.image == image) // NORACE
        return entry.pixels;    // NORACE
    return 0;
  }

  void store(int image, int pixels) {
    std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock())
      return;
    entries_[next_].image = image;         // NORACE
    entries_[next_].pixels = pixels;       // NORACE
    next_ = (next_ + 1) % entries_.size(); // NORACE
  }

  void forget() {
    std::unique_lock<std::mutex> lock(mutex_);
    entries_.fill({}); // NORACE
  }

  long lookups() {
    std::unique_lock<std::mutex> lock(mutex_);
    return lookups_; // NORACE
  }

private:
  struct Entry {
    int image = 0;
    int pixels = 0;
  };

  std::mutex mutex_;
  std::array<Entry, 4> entries_;
  std::size_t next_ = 0;
  long lookups_ = 0;
};

static void view(ThumbnailCache &cache, int first) {
  for (int image = first; image < first + 400; ++image) {
    if (cache.find(image % 5 + 1) == 0)
      cache.store(image % 5 + 1, 128);
  }
}

int main() {
  ThumbnailCache cache;
  std::thread left([&] { view(cache, 0); });
  std::thread right([&] { view(cache, 3); });
  cache.forget();
  left.join();
  right.join();
  cache.store(1, 64);
  return cache.lookups() <= 800 ? 0 : 1;
}
