#include <cassert>
#include <thread>

extern "C" void add();
extern "C" int value();

int main() {
  std::thread first(add), second(add);
  first.join();
  second.join();
  assert(value() == 2);
}
