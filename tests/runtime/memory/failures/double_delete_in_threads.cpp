// EXPECT: memory-error "double free: the block of 4 bytes"
// EXPECT: heap allocated T0 freed T1
#include <thread>

int main() {
  int* volatile value = new int(1);
  auto release = [&] { delete value; };
  std::thread first(release);
  std::thread second(release);
  first.join();
  second.join();
}
