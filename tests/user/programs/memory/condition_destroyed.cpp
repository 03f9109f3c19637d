// WaitGroup on the stack is destroyed while done() is still about to notify: TSan reports it,
// heddle?
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
struct WaitGroup {
  std::atomic<int> pending{1};
  std::mutex m;
  std::condition_variable cv;
  void done() {
    if (pending.fetch_sub(1) == 1) {
      cv.notify_all(); // may run after the owner has gone
    }
  }
  void wait() {
    std::unique_lock<std::mutex> l(m);
    while (pending.load() != 0)
      cv.wait_for(l, std::chrono::milliseconds(1));
  }
};
int main(int argc, char**) {
  std::thread t;
  if (argc > 1) {
    auto wg = std::make_unique<WaitGroup>();
    t = std::thread([p = wg.get()] { p->done(); });
    wg->wait();
  } else {
    WaitGroup wg;
    t = std::thread([&wg] { wg.done(); });
    wg.wait();
  }
  t.join();
}
