// EXPECT: exception "uncaught exception of type `std::runtime_error`: inside"
#include <stdexcept>

void f() noexcept { throw std::runtime_error("inside"); }

int main() {
  try {
    f();
  } catch (...) {
  }
}
