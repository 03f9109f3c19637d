// The flag orders the accesses to `data` only on machines that keep their order: no release, no
// acquire.
#include <atomic>
#include <thread>

int data;
std::atomic<bool> ready{false};

int main() {
  std::thread producer([] {
    data = 42; // write
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread consumer([] {
    while (!ready.load(std::memory_order_relaxed)) {
    }
    if (data != 42) // read
      __builtin_trap();
  });
  producer.join();
  consumer.join();
}
