// EXPECT: exception "abort() called while handling an exception of type `std::runtime_error`:
// own"
#include <cstdlib>
#include <exception>
#include <stdexcept>

int main() {
  std::set_terminate([] { std::abort(); });
  throw std::runtime_error("own");
}
