// Correct: the library's atomic shared pointers wait for each other by spinning.
#include <atomic>
#include <memory>
#include <thread>

int main() {
  std::atomic<std::shared_ptr<int>> current{std::make_shared<int>(1)};
  auto load = [&] {
    for (int i = 0; i < 2; ++i)
      if (*current.load() == 0)
        throw 1;
  };
  std::thread one(load), other(load);
  std::thread writer([&] {
    for (int i = 2; i < 4; ++i)
      current.store(std::make_shared<int>(i));
  });
  one.join();
  other.join();
  writer.join();
}
