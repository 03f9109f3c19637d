// Log sinks behind an interface: one for files, with a lock, and one for memory, without. The
// workers share both, also the one that was meant for a single thread.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Sink {
public:
  virtual ~Sink() = default;
  virtual void write(int line) = 0;
  virtual std::size_t lines() = 0;
};

class FileSink : public Sink {
public:
  void write(int line) override {
    std::lock_guard<std::mutex> guard(mutex_);
    last_ = line; // NORACE
    ++lines_;     // NORACE
  }
  std::size_t lines() override {
    std::lock_guard<std::mutex> guard(mutex_);
    return lines_; // NORACE
  }

private:
  std::mutex mutex_;
  int last_ = 0;
  std::size_t lines_ = 0;
};

class MemorySink : public Sink {
public:
  void write(int line) override {
    sum_ += line; // RACE!
    ++lines_;     // RACE!
  }
  std::size_t lines() override { return lines_; } // NORACE

private:
  long sum_ = 0;
  std::size_t lines_ = 0;
};

static void work(Sink &first, Sink &second) {
  for (int line = 0; line < 5; ++line) {
    first.write(line);
    second.write(line);
  }
}

int main() {
  std::vector<std::unique_ptr<Sink>> sinks;
  sinks.push_back(std::make_unique<FileSink>());
  sinks.push_back(std::make_unique<MemorySink>());
  sinks.push_back(std::make_unique<MemorySink>());
  std::thread left([&] { work(*sinks[0], *sinks[1]); });  // NORACE
  std::thread right([&] { work(*sinks[0], *sinks[1]); }); // NORACE
  left.join();
  right.join();
  return sinks[0]->lines() == 10 && sinks[1]->lines() <= 10 ? 0 : 1; // NORACE
}
