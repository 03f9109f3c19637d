// Each thread compiles its own pattern; the library caches characters without any order.
#include <regex>
#include <thread>

int main() {
  auto compile = [] { std::regex pattern("a+b|c"); };
  std::thread other(compile);
  compile();
  other.join();
}
