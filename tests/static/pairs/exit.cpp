// The destructors of static objects run behind main, when all that it has joined is done.
// RACY: worker.join(); => worker.detach();
#include <mutex>
#include <thread>
#include <vector>

struct Journal {
  std::mutex mutex;
  std::vector<int> lines;
  int written = 0;
  ~Journal() { written = -1; }
};

static Journal& journal() {
  static Journal only;
  return only;
}

static void write(int line) {
  std::lock_guard<std::mutex> guard(journal().mutex);
  journal().lines.push_back(line);
  ++journal().written;
}

int main() {
  write(0);
  std::thread worker([] { write(1); });
  worker.join();
}
