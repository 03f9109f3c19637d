// Main gives a thread time to set the price and does not wait for it.
#include <cassert>
#include <chrono>
#include <thread>

int price = 0;

int main() {
  std::thread setter([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    price = 7; // the write
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  assert(price == 7); // the read
  setter.join();
}
