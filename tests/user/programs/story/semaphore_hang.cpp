// Correct by the standard: two releases let two threads go on. The semaphores of libstdc++ 11 and
// 12 wake only one of them.
#include <semaphore>
#include <thread>

std::counting_semaphore<8> slots(0);

int main() {
  std::thread first([] { slots.acquire(); });
  std::thread second([] { slots.acquire(); });
  std::thread giver([] {
    slots.release();
    slots.release();
  });
  first.join();
  second.join();
  giver.join();
}
