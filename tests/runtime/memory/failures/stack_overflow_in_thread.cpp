// EXPECT: crash "stack overflow"
// EXPECT: thread 1
#include <thread>

int deeper(volatile int* depth) {
  volatile int more[256];
  more[0] = *depth + 1;
  return deeper(more) + more[0];
}

int main() {
  std::thread([] {
    int depth = 0;
    deeper(&depth);
  }).join();
}
