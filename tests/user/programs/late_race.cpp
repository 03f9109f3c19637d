// A race that only one order of four threads leads to: the first recordings do not show it.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex guard;
static int order;
static int hits;

static void work(int number) {
  bool rare;
  {
    std::lock_guard<std::mutex> lock(guard);
    order = order * 10 + number;
    rare = order == 3 || order == 32;
#ifdef ALWAYS
    rare = true;
#endif
  }
  if (rare)
    hits = hits + 1; // race
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 4; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
}
