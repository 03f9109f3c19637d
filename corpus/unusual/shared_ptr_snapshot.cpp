// Snapshots by reference count: a new configuration replaces the pointer to the old one, readers keep
// the old one as long as they like, and a weak pointer watches it go.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::atomic<int> alive{0};

struct Configuration {
  explicit Configuration(int version) : version(version), values(8, version) { ++alive; }
  ~Configuration() { --alive; }
  const int version;
  const std::vector<int> values;
};

using Snapshot = std::shared_ptr<const Configuration>;

/// A pointer behind a lock that is held only for the copy.
class Publisher {
public:
  explicit Publisher(Snapshot first) : current_(std::move(first)) {}
  Snapshot get() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return current_;
  }
  void set(Snapshot next) {
    std::lock_guard<std::mutex> guard(mutex_);
    current_.swap(next);
  }

private:
  mutable std::mutex mutex_;
  Snapshot current_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 15000;
  {
    Publisher publisher(std::make_shared<const Configuration>(0));
    std::weak_ptr<const Configuration> first = publisher.get();
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i)
      readers.emplace_back([&] {
        Snapshot kept = publisher.get();
        for (int round = 0; round < rounds; ++round) {
          Snapshot snapshot = publisher.get();
          assert(snapshot->version >= kept->version);
          assert(snapshot->values[round % 8] == snapshot->version);
          if (round % 7 == 0)
            kept = std::move(snapshot);
          else if (Snapshot oldest = first.lock())
            assert(oldest->version == 0);
        }
      });
    for (int version = 1; version <= rounds / 8 + 1; ++version)
      publisher.set(std::make_shared<const Configuration>(version));
    for (std::thread& reader : readers)
      reader.join();
    assert(first.expired());
    assert(alive == 1);
  }
  assert(alive == 0);
}
