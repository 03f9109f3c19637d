// The message goes through a third thread, and both who wait for it spin.
#include <atomic>
#include <thread>

int data;
std::atomic<int> first{0}, second{0};

int main() {
  std::thread producer([] {
    data = 42; // write
    first.store(1, std::memory_order_release);
  });
  std::thread relay([] {
    while (!first.load(std::memory_order_acquire)) {
    }
    second.store(1, std::memory_order_release);
  });
  while (!second.load(std::memory_order_acquire)) {
  }
  if (data != 42) // read
    __builtin_trap();
  producer.join();
  relay.join();
}
