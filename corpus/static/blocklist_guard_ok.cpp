// A list of blocked addresses with a guard class of its own. Every guard has a name and lives to
// the end of its block.
#include <pthread.h>
#include <thread>
#include <vector>

class Mutex {
public:
  Mutex() { pthread_mutex_init(&handle_, nullptr); }
  ~Mutex() { pthread_mutex_destroy(&handle_); }
  Mutex(const Mutex &) = delete;
  Mutex &operator=(const Mutex &) = delete;
  void enter() { pthread_mutex_lock(&handle_); }
  void leave() { pthread_mutex_unlock(&handle_); }

private:
  pthread_mutex_t handle_;
};

class Section {
public:
  explicit Section(Mutex &mutex) : mutex_(mutex) { mutex_.enter(); }
  ~Section() { mutex_.leave(); }
  Section(const Section &) = delete;
  Section &operator=(const Section &) = delete;

private:
  Mutex &mutex_;
};

class Blocklist {
public:
  void block(int address) {
    Section section(mutex_);
    blocked_.push_back(address); // NORACE
    ++version_;                  // NORACE
  }

  bool blocks(int address) {
    Section section(mutex_);
    for (int blocked : blocked_) // NORACE
      if (blocked == address)    // NORACE
        return true;
    return false;
  }

  int version() {
    Section section{mutex_};
    return version_; // NORACE
  }

private:
  Mutex mutex_;
  std::vector<int> blocked_;
  int version_ = 0;
};

int main() {
  Blocklist list;
  std::thread administrator([&list] {
    for (int address = 1; address <= 4; ++address)
      list.block(address);
  });
  std::thread filter([&list] {
    int before = list.version();
    while (list.version() == before && !list.blocks(4))
      std::this_thread::yield();
  });
  administrator.join();
  filter.join();
  return list.blocks(4) ? 0 : 1;
}
