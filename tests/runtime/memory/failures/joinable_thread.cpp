// EXPECT: assertion "std::terminate called without an active exception"
#include <thread>

int main() {
  std::thread thread([] {});
}
