// EXPECT: assertion "abort() called"
// EXPECT: thread 1
// EXPECT: waits T0 join
#include <cstdlib>
#include <thread>

int main() {
  std::thread([] { std::abort(); }).join();
}
