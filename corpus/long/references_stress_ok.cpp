// A stress test of shared documents with reference counts: four threads that open and close them,
// 100,000 locked operations. The count is looked at and raised in one critical section.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#ifndef ROUNDS
#define ROUNDS 10000
#endif

constexpr unsigned kDocuments = 256;

class Documents {
public:
  unsigned open(unsigned number, unsigned content) {
    std::lock_guard<std::mutex> guard(mutex_);
    Entry& entry = entries_[number];
    if (entry.users++ == 0) // NORACE
      entry.content = std::make_unique<unsigned>(content);
    return *entry.content;
  }

  void close(unsigned number) {
    std::lock_guard<std::mutex> guard(mutex_);
    Entry& entry = entries_[number];
    if (--entry.users == 0)
      entry.content.reset();
  }

private:
  struct Entry {
    unsigned users = 0;
    std::unique_ptr<unsigned> content;
  };

  std::mutex mutex_;
  Entry entries_[kDocuments];
};

static unsigned work(unsigned seed) {
  for (int i = 0; i < 8000; ++i)
    seed = seed * 1664525u + 1013904223u;
  return seed;
}

static void edit(Documents& documents, unsigned seed, unsigned& sum) {
  for (unsigned i = 0; i < ROUNDS; ++i) {
    seed = seed * 1664525u + 1013904223u;
    unsigned number = (seed >> 16) % kDocuments;
    sum += documents.open(number, i);
    sum += work(seed);
    documents.close(number);
  }
}

int main() {
  Documents documents;
  unsigned sums[4] = {};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back(edit, std::ref(documents), i * 7919 + 1, std::ref(sums[i]));
  for (std::thread& thread : threads)
    thread.join();
}
