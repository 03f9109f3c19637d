// Workers that wait for work for ever. Argument "bug": they count without a lock.
#include <cassert>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

std::mutex mutex;
std::condition_variable changed;
std::queue<int> work;
int done, handled;
bool bug;

void serve() {
  for (;;) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return !work.empty(); });
    int job = work.front();
    work.pop();
    if (bug)
      lock.unlock();
    int seen = handled;
    handled = seen + job;
    if (bug)
      lock.lock();
    if (++done == 4)
      assert(handled == 4);
  }
}

int main(int argc, char** argv) {
  bug = argc > 1 && !strcmp(argv[1], "bug");
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i)
    workers.emplace_back(serve);
  for (int i = 0; i < 4; ++i) {
    std::lock_guard<std::mutex> lock(mutex);
    work.push(1);
    changed.notify_one();
  }
  for (std::thread& worker : workers)
    worker.join();
}
