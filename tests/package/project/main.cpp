#include "counter.h"

#include <cassert>
#include <string>
#include <thread>

int main(int argc, char** argv) {
  const bool locked = argc > 1 && std::string(argv[1]) == "locked";
  Counter counter;
  std::thread first([&] { counter.add(locked); });
  std::thread second([&] { counter.add(locked); });
  first.join();
  second.join();
  assert(counter.value() == 2);
}
