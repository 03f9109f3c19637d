// Double-checked locking with a plain pointer: a thread can see the object before it is filled.
#include <mutex>
#include <stdexcept>
#include <thread>

class Settings {
public:
  void load() {
    for (int i = 0; i < 16; ++i)
      table_[i] = i;
    size_ = 16; // fill
  }
  int at(int index) const {
    if (index >= size_) // look
      throw std::out_of_range("no such setting");
    return table_[index];
  }

private:
  int table_[16] = {};
  int size_ = 0;
};

static Settings *instance;
static std::mutex guard;

static Settings *settings() {
  if (!instance) { // read
    std::lock_guard<std::mutex> lock(guard);
    if (!instance) {
      instance = new Settings; // write
      instance->load();
    }
  }
  return instance;
}

static void use(int index) { settings()->at(index); }

int main() {
  std::thread one(use, 3), other(use, 5);
  one.join();
  other.join();
}
