// A shared_ptr that is read and replaced by the library's atomic functions.
// clang-format off
// RACY: return std::atomic_load(&current_); => return current_;
// RACY: std::atomic_store(&current_, std::move(next)); // set => current_ = std::move(next);
// clang-format on
#include <memory>
#include <thread>
#include <utility>

struct Settings {
  int limit = 1;
};

class Store {
public:
  std::shared_ptr<const Settings> get() const { return std::atomic_load(&current_); }
  void set(int limit) {
    auto next = std::make_shared<Settings>();
    next->limit = limit;
    std::shared_ptr<const Settings> published = std::move(next);
    put(std::move(published));
  }

private:
  void put(std::shared_ptr<const Settings> next) {
    std::atomic_store(&current_, std::move(next)); // set
  }
  std::shared_ptr<const Settings> current_ = std::make_shared<const Settings>();
};

int main() {
  Store store;
  std::thread reader([&] { return store.get()->limit; });
  store.set(2);
  reader.join();
}
