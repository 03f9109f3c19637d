// A program that goes on for ever, as a server does.
#include <chrono>
#include <thread>

int main() {
  std::thread clock([] {
    for (;;)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  });
  clock.join();
}
