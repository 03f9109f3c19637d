// A lost update and a deadlock.
#include <cassert>
#include <mutex>
#include <thread>

int counter;
std::mutex left, right;

void work(std::mutex& first, std::mutex& second) {
  int seen = counter;
  counter = seen + 1;
  std::lock_guard<std::mutex> outer(first);
  std::lock_guard<std::mutex> inner(second);
}

int main() {
  std::thread one([] { work(left, right); });
  std::thread two([] { work(right, left); });
  one.join();
  two.join();
  assert(counter == 2);
}
