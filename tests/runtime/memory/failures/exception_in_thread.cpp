// EXPECT: exception "uncaught exception of type `demo::Error`: second base"
// EXPECT: thread 1
#include <stdexcept>
#include <thread>

namespace demo {
struct Other {
  virtual ~Other() = default;
  int value = 1;
};
struct Error : Other, std::runtime_error {
  Error() : std::runtime_error("second base") {}
};
} // namespace demo

int main() {
  std::thread([] { throw demo::Error(); }).join();
}
