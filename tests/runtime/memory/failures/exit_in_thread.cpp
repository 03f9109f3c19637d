// A thread ends the process while others still work; destructors may wait for them.
// EXPECT: finished 4
// EXPECT: output "worker done\nhandler done\n"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> released{false};

int main() {
  std::thread worker([] {
    while (!released)
      std::this_thread::yield();
    std::lock_guard lock(mutex);
    puts("worker done");
  });
  std::thread ender([] {
    atexit([] {
      released = true;
      for (int i = 0; i < 10; ++i)
        std::this_thread::yield();
      puts("handler done");
    });
    exit(4);
  });
  ender.join();
  worker.join();
}
