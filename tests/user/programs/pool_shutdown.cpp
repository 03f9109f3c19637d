// The journal is freed when all jobs have been counted, while the last one still holds its lock.
#include "pool.h"

#include <atomic>
#include <memory>
#include <string>

struct Journal {
  std::mutex mutex;
  std::vector<std::string> lines;
  void write(const char* line) {
    std::lock_guard lock(mutex);
    lines.emplace_back(line);
  }
};

int main() {
  Pool pool(2);
  auto journal = std::make_unique<Journal>();
  std::atomic<int> done{0};
  for (int i = 0; i < 3; ++i)
    pool.submit([&done, journal = journal.get()] {
      ++done;
      journal->write("a line that is too long to be kept inside of the string");
    });
  while (done.load() < 3)
    std::this_thread::yield();
  journal.reset();
}
